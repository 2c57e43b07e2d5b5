import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../../web/src/errors.ts';
import { completeOptions } from '../../../web/src/search-options.ts';

test('without options the search is greedy', () => {
  assert.deepEqual(completeOptions({}), { beam: 1, nbest: 1, lengthPenalty: 1, maxLength: 0 });
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
