import { type Attributes, attributes, attributesFor } from './attributes.ts';

/** What an embedded element is to show. */
export interface Embedded {
  /** Absolute addresses of the element's module and of the model. */
  readonly module: string;
  readonly src: string;
  /** Shown where scripts do not run. */
  readonly fallback: string;
}

/** HTML for a lesson's page that shows what an element shows. */
export function embedCode(element: Attributes, { module, src, fallback }: Embedded): string {
  const written = attributesFor('embed').map((name) => attribute(name, name === 'src' ? src : element[name]));
  return `<script type="module" src="${escapeHtml(module)}"></script>
<soft-align${written.join('')}>
  ${escapeHtml(fallback)}
</soft-align>`;
}

function attribute(name: keyof Attributes, value: Attributes[keyof Attributes]): string {
  if (value === attributes[name].initial) return '';
  return value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
