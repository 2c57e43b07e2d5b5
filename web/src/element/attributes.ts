// The one table of the attributes of <soft-align>. The element's properties, what a follower takes over, embed code, the
// addresses of the page and of the frame, the traits of the notebook module, and the table in web/README.md follow from it.
import { widestBeam } from '../search-options.ts';

/** Where a value goes besides the element: to its followers, the address of page and frame or of the frame alone, code to embed, a notebook's trait. */
type Place = 'follower' | 'address' | 'frame' | 'embed' | 'notebook';

/** One attribute and the property of the same name. */
interface Attribute<Value> {
  readonly initial: Value;
  readonly type: typeof Boolean | typeof Number | typeof String;
  /** Whether the attribute follows the property. */
  readonly reflect: boolean;
  readonly places: readonly Place[];
  /** The allowed values, if they are words. */
  readonly words?: readonly Value[];
  /** The value in an address, as `String` writes it; undefined if it makes no sense. */
  read(written: string): Value | undefined;
}

const everywhere = ['address', 'embed', 'notebook'] as const;

export const attributes = {
  /** Address of the model, relative to the page. */
  src: text('embed', 'notebook'),

  /** The sentence to translate; it changes as the reader types. */
  text: text(...everywhere, 'follower'),

  /** Hypotheses kept alive in the search; 1 is greedy. */
  beam: whole(1, widestBeam, ...everywhere, 'follower'),

  /** Whether the reader may change the sentence. */
  editable: flag('frame', 'embed', 'notebook'),

  /** Whether the reader may open a model file of their own, by a button or by dropping it. */
  openable: flag(),

  /** Id of another `<soft-align>` whose sentence, search and highlighted source word this one takes over, to compare two models. */
  follow: text(),

  /** Shows the model's subword pieces instead of whole words. */
  pieces: flag(...everywhere, 'follower'),

  /** Steps through the translation one piece at a time, showing what was read and what could have been written; the reader may change both. */
  steps: flag(...everywhere),

  /** Shows the search tree: what was kept, what was dropped, and the hypotheses to choose from. */
  tree: flag(...everywhere),

  /** `light`, `dark`, or what the reader's system prefers. */
  theme: oneOf(['auto', 'light', 'dark'], ...everywhere),
};

type Table = typeof attributes;

export type AttributeName = keyof Table;

/** The value of every attribute: the element's properties. */
export type Attributes = { [Name in AttributeName]: Table[Name]['initial'] };

export type Theme = Attributes['theme'];

export const attributeNames = Object.keys(attributes) as AttributeName[];

/** The names of the attributes that go to one of these places. */
export function attributesFor(...places: Place[]): AttributeName[] {
  return attributeNames.filter((name) => attributes[name].places.some((place) => places.includes(place)));
}

/** An element's values of the attributes that go to one of these places. */
export function valuesFor(element: Attributes, ...places: Place[]): Partial<Attributes> {
  return Object.fromEntries(attributesFor(...places).map((name) => [name, element[name]]));
}

/** Length of the longest text in an address, in characters; no model reads more at once. */
const longestWritten = 20_000;

function text(...places: Place[]): Attribute<string> {
  const read = (written: string) => (written.length <= longestWritten ? written : undefined);
  return { initial: '', type: String, reflect: false, places, read };
}

function flag(...places: Place[]): Attribute<boolean> {
  const read = (written: string) => (written === 'true' ? true : written === 'false' ? false : undefined);
  return { initial: false, type: Boolean, reflect: true, places, read };
}

/** A whole number, initially the least one. */
function whole(least: number, most: number, ...places: Place[]): Attribute<number> {
  const read = (written: string) =>
    /^\d+$/.test(written) && Number(written) >= least && Number(written) <= most ? Number(written) : undefined;
  return { initial: least, type: Number, reflect: false, places, read };
}

/** One of several words, initially the first one. */
function oneOf<const Word extends string>(words: readonly [Word, ...Word[]], ...places: Place[]): Attribute<Word> {
  const read = (written: string) => words.find((word) => word === written);
  return { initial: words[0], type: String, reflect: true, places, words, read };
}
