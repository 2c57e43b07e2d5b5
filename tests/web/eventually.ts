import { setTimeout as pause } from 'node:timers/promises';

/** How long a test waits for what never comes, in milliseconds: a busy machine may take long for anything. */
export const patience = 120_000;

/**
 * Asserts what becomes true: reads until the check passes, however late what was read arrives; in the end fails as the last
 * reading did. @returns what passed
 */
export async function eventually<Value>(
  read: () => Promise<Value> | Value,
  check: (value: Value) => void,
): Promise<Value> {
  for (const end = Date.now() + patience; ; await pause(50)) {
    try {
      const value = await read();
      check(value);
      return value;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
