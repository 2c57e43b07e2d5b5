import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embedCode } from '../../../web/src/element/embed.ts';

const plain = { module: 'https://a.example/soft-align.js', src: 'https://a.example/m.safetensors', fallback: '' };

test('the snippet says what differs from the defaults, and no text can leave its quotes', () => {
  const text = '"><script>alert(1)</script> & more';
  const code = embedCode({
    ...plain,
    text,
    beam: 4,
    editable: true,
    pieces: false,
    steps: true,
    tree: true,
    theme: 'dark',
    fallback: text,
  });
  assert.equal(
    code,
    `<script type="module" src="https://a.example/soft-align.js"></script>
<soft-align src="https://a.example/m.safetensors" text="&quot;>&lt;script>alert(1)&lt;/script> &amp; more" beam="4" theme="dark" steps tree editable>
  &quot;>&lt;script>alert(1)&lt;/script> &amp; more
</soft-align>`,
  );
});
