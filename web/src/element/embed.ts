/** What an embedded element is to show. */
export interface Embedded {
  /** Absolute addresses of the element's module and of the model. */
  readonly module: string;
  readonly src: string;
  readonly text: string;
  readonly beam: number;
  readonly editable: boolean;
  readonly pieces: boolean;
  readonly steps: boolean;
  readonly tree: boolean;
  readonly theme: string;
  /** Shown where scripts do not run. */
  readonly fallback: string;
}

/** HTML for a lesson's page. */
export function embedCode({
  module,
  src,
  text,
  beam,
  editable,
  pieces,
  steps,
  tree,
  theme,
  fallback,
}: Embedded): string {
  const attributes = [
    attribute('src', src),
    attribute('text', text),
    ...(beam > 1 ? [attribute('beam', String(beam))] : []),
    ...(theme === 'auto' ? [] : [attribute('theme', theme)]),
    ...(pieces ? ['pieces'] : []),
    ...(steps ? ['steps'] : []),
    ...(tree ? ['tree'] : []),
    ...(editable ? ['editable'] : []),
  ];
  return `<script type="module" src="${escapeHtml(module)}"></script>
<soft-align ${attributes.join(' ')}>
  ${escapeHtml(fallback)}
</soft-align>`;
}

function attribute(name: string, value: string): string {
  return `${name}="${escapeHtml(value)}"`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
