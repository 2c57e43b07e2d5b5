import type { SoftAlign } from '../src/element/soft-align.ts';
import '../src/element/soft-align.ts';
import { translationFromJson } from '../src/translation-json.ts';
import { tellStory } from './story.ts';

const stage = document.querySelector('soft-align') as SoftAlign;
const story = document.querySelector('#story') as HTMLElement;

stage.addEventListener('result', () => tellStory(story, stage));

// The first sentence was translated when the page was built: it is there before the model has arrived.
const example = document.querySelector('#example')?.textContent;
if (example) stage.translation = translationFromJson(example);
