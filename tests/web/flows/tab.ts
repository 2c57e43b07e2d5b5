import assert from 'node:assert/strict';
import { eventually } from '../eventually.ts';

/** The keys that the flows press, by the names of the DOM. */
export type Key = 'Tab' | 'End' | 'Escape' | 'ArrowLeft' | 'ArrowRight' | 'ArrowUp';

/** A tab of some browser, used as a reader uses it. */
export interface Tab {
  open(url: string): Promise<void>;
  /** Runs a function in the page, or in the frame that was entered. It sees its arguments only, which must be JSON. */
  run<Values extends unknown[], Result>(script: (...values: Values) => Result, ...values: Values): Promise<Result>;
  /** Presses the pointer's button three times, which selects a line. */
  clickThrice(x: number, y: number): Promise<void>;
  type(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  /** From now on `run` works in the page's only frame. */
  enterFrame(): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  close(): Promise<void>;
}

/** Waits until a function of the page returns something. */
export async function until<Values extends unknown[], Result>(
  tab: Tab,
  script: (...values: Values) => Result,
  ...values: Values
): Promise<NonNullable<Result>> {
  const result = await eventually(
    () => tab.run(script, ...values),
    (found) => assert.ok(found, `this never came true: ${script}`),
  );
  return result as NonNullable<Result>;
}
