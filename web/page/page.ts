import type { SoftAlign } from '../src/element/soft-align.ts';
import '../src/element/soft-align.ts';
import { translationFromJson } from '../src/translation-json.ts';
import { AddressBar } from './restore.ts';
import { offerSettings } from './settings.ts';
import { tellStory } from './story.ts';
import { offerToTake } from './take.ts';

const stage = document.querySelector('soft-align') as SoftAlign;
const story = document.querySelector('#story') as HTMLElement;

stage.addEventListener('result', () => tellStory(story, stage));

const address = new AddressBar(stage, () => showSettings());
const showSettings = offerSettings(document.querySelector('.settings') as HTMLFormElement, stage, () =>
  address.follow(),
);
offerToTake(document.querySelector('.take') as HTMLElement, stage, () => address.link());
address.restore();

// The first sentence was translated when the page was built: it is there before the model has arrived.
const example = document.querySelector('#example')?.textContent;
if (example && address.showsExample) stage.translation = translationFromJson(example);
