import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from '../../../web/src/translator.ts';

test('tasks run one after the other, and those nobody wants any more are skipped', async () => {
  const turns = new Turns();
  const log: string[] = [];
  let wanted = true;
  const task = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 1));
    log.push(`${name} ends`);
  };
  turns.take(task('first'), () => true);
  turns.take(task('second'), () => wanted);
  await new Promise<void>((resolve) => {
    turns.take(task('third'), () => true);
    turns.take(
      async () => resolve(),
      () => true,
    );
    wanted = false;
  });
  assert.deepEqual(log, ['first begins', 'first ends', 'third begins', 'third ends']);
});

test('a task that fails does not stop those after it', async () => {
  const turns = new Turns();
  turns.take(
    () => Promise.reject(new Error('no')),
    () => true,
  );
  await new Promise<void>((resolve) =>
    turns.take(
      async () => resolve(),
      () => true,
    ),
  );
});
