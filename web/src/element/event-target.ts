import { LitElement } from 'lit';
import type { SoftAlignEventMap } from './events.ts';

/** An element whose listeners are told with the events' own types. */
export class SoftAlignEventTarget extends LitElement {
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
