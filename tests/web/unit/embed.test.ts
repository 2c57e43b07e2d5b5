import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Attributes, attributeNames, attributes } from '../../../web/src/element/attributes.ts';
import { embedCode } from '../../../web/src/element/embed.ts';

const initial = Object.fromEntries(attributeNames.map((name) => [name, attributes[name].initial])) as Attributes;
const embedded = { module: 'https://a.example/soft-align.js', src: 'https://a.example/m.safetensors', fallback: '' };

test('the snippet says what differs from the defaults, and no text can leave its quotes', () => {
  const text = '"><script>alert(1)</script> & more';
  const element: Attributes = {
    ...initial,
    src: 'm.safetensors',
    text,
    beam: 4,
    editable: true,
    steps: true,
    tree: true,
  };
  assert.equal(
    embedCode({ ...element, theme: 'dark', openable: true, follow: 'left' }, { ...embedded, fallback: text }),
    `<script type="module" src="https://a.example/soft-align.js"></script>
<soft-align src="https://a.example/m.safetensors" text="&quot;>&lt;script>alert(1)&lt;/script> &amp; more" beam="4" editable steps tree theme="dark">
  &quot;>&lt;script>alert(1)&lt;/script> &amp; more
</soft-align>`,
  );
});
