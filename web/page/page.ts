import type { SoftAlign } from '../src/element/soft-align.ts';
import '../src/element/soft-align.ts';
import type { Translation } from '../src/translation.ts';
import { tellStory } from './story.ts';

const stage = document.querySelector('soft-align') as SoftAlign;
const story = document.querySelector('#story') as HTMLElement;

stage.addEventListener('result', () => tellStory(story, stage));

/** The first sentence, translated when the page was built: there before the model has arrived. */
const example = JSON.parse(document.querySelector('#example')?.textContent ?? 'null') as Translation | null;
if (example) stage.translation = example;
