import type { SoftAlign } from '../src/element/soft-align.ts';
import '../src/element/soft-align.ts';
import { translationFromJson } from '../src/translation.ts';
import { offerToKeep } from './keep.ts';
import { Models } from './models.ts';
import { AddressBar } from './restore.ts';
import { offerSettings } from './settings.ts';
import { tellStory } from './story.ts';
import { offerToTake } from './take.ts';

const stage = document.querySelector('soft-align') as SoftAlign;
const story = document.querySelector('#story') as HTMLElement;

stage.addEventListener('result', () => tellStory(story, stage));

const settings = document.querySelector('#search') as HTMLFormElement;
const introduction = document.querySelector('#introduction') as HTMLElement;
const models = new Models(stage, settings, introduction, () => address.follow());
const address = new AddressBar(stage, models, () => showSettings());
const showSettings = offerSettings(settings, document.querySelector('#look') as HTMLFormElement, stage, () => {
  models.dress();
  address.follow();
});
offerToTake(document.querySelector('.take') as HTMLElement, stage, () => address.link());
offerToKeep(document.querySelector('#kept') as HTMLElement, stage);
address.restore();
// Without the list there is still the model that the page started with.
models.list().catch((error) => console.warn('The list of models did not arrive.', error));

// The first sentence was translated when the page was built: it is there before the model has arrived.
const example = document.querySelector('#example')?.textContent;
if (example && address.showsExample) stage.translation = translationFromJson(example);
