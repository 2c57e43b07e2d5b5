import { setTimeout as pause } from 'node:timers/promises';

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

const patience = 30_000;

/** Waits until a function of the page returns something. */
export async function until<Values extends unknown[], Result>(
  tab: Tab,
  script: (...values: Values) => Result,
  ...values: Values
): Promise<NonNullable<Result>> {
  for (const end = Date.now() + patience; ; await pause(50)) {
    const result = await tab.run(script, ...values);
    if (result) return result;
    if (Date.now() > end) throw new Error(`this never came true: ${script}`);
  }
}
