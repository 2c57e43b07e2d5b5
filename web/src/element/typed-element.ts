import { LitElement, type PropertyDeclarations } from 'lit';
import { type Attributes, attributeNames, attributes } from './attributes.ts';
import type { SoftAlignEventMap } from './events.ts';

/** An element with the attributes of the table. */
class AttributeElement extends LitElement {
  static override properties: PropertyDeclarations = attributes;

  constructor() {
    super();
    Object.assign(this, Object.fromEntries(attributeNames.map((name) => [name, attributes[name].initial])));
  }
}

/** The same; TypeScript does not see the properties that Lit makes of the table. */
const WithAttributes = AttributeElement as unknown as Omit<typeof LitElement, never> &
  (new () => LitElement & Attributes);

/** An element whose attributes and listeners have their own types. */
export class TypedElement extends WithAttributes {
  override addEventListener<Type extends keyof SoftAlignEventMap>(
    type: Type,
    listener: (this: this, event: SoftAlignEventMap[Type]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void {
    super.addEventListener(type, listener, options);
  }
}
