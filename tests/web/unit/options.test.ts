import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../../web/src/errors.ts';
import { completeOptions } from '../../../web/src/search-options.ts';

test('without options the search is greedy, and nothing is imposed', () => {
  const own = { prefix: [], weights: [], tree: false };
  assert.deepEqual(completeOptions({}), { beam: 1, nbest: 1, lengthPenalty: 1, maxLength: 0, ...own });
});

test('what is imposed is put in a form that crosses threads', () => {
  const { prefix, weights } = completeOptions({ prefix: [{ id: 7 }, 'chat'], weights: new Map([[1, [0.5, 0.5]]]) });
  assert.deepEqual(prefix, [7, 'chat']);
  assert.deepEqual(weights, [[1, new Float32Array([0.5, 0.5])]]);
});

test('impossible options are refused, each with what to give', () => {
  for (const options of [
    { beam: 0 },
    { beam: 2.5 },
    { beam: 65 },
    { beam: Number.NaN },
    { beam: 2, nbest: 3 },
    { nbest: 0 },
    { lengthPenalty: Number.POSITIVE_INFINITY },
    { maxLength: -1 },
    { weights: new Map([[-1, [1]]]) },
  ]) {
    assert.throws(
      () => completeOptions(options),
      (error) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, /; give a/);
        return true;
      },
    );
  }
});
