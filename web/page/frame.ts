import { escapeHtml } from '../src/element/embed.ts';

/** HTML of a frame that shows what a link to the page shows, for systems that let no scripts into a lesson. */
export function frameCode(link: string, sentence: string): string {
  const address = new URL('embed.html', link);
  const values = new URLSearchParams(new URL(link).hash.slice(1));
  // The frame has one element.
  values.delete('compare');
  values.set('editable', 'true');
  address.hash = String(values);
  const title = escapeHtml(`What a translator read for “${sentence}”`);
  return `<iframe src="${escapeHtml(address.href)}" title="${title}"
  sandbox="allow-scripts" width="100%" height="640" loading="lazy" style="border: 0"></iframe>`;
}
