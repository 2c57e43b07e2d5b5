import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alignmentCsv } from '../../../web/src/view/table.ts';
import { alignPieces } from '../../../web/src/view/units.ts';
import { translation } from '../translations.ts';

test('the table has the source across, the target down, and marks itself as UTF-8', () => {
  const made = translation('a "b , c', 'é </s>', [
    [0.5, 0.25, 0.125, 0.125],
    [0, 0, 0, 1],
  ]);
  assert.equal(
    alignmentCsv(alignPieces(made, made)),
    '\u{feff},a,"""b",",",c\r\né,0.500000,0.250000,0.125000,0.125000\r\n(end),0.000000,0.000000,0.000000,1.000000\r\n',
  );
});

test('no word of the table is a formula to a spreadsheet', () => {
  const words = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', 'a=b', "'"];
  const unit = (text: string) => ({ text, startsWord: true, special: false, tokens: [0] });
  const csv = alignmentCsv({
    source: words.map(unit),
    target: [unit('=HYPERLINK("x")')],
    weights: new Float32Array(9),
  });
  const [head, row] = csv.slice(1).split('\r\n');
  assert.equal(head, ",'=1+1,'+1,'-1,'@SUM(A1),'\t=1,\"'\r=1\",'＝1,a=b,'");
  assert.ok(row?.startsWith(`"'=HYPERLINK(""x"")",0.000000`), row);
});
