// Files to save, and texts to copy.
import { escapeHtml } from '../src/element/embed.ts';
import type { ExportFormat, SoftAlign } from '../src/element/soft-align.ts';

/** @param section with a button for every format and for every text   @param link the address of what is shown */
export function offerToTake(section: HTMLElement, stage: SoftAlign, link: () => string): void {
  const status = section.querySelector('[role=status]') as HTMLElement;
  const sheet = section.querySelector('.sheet') as HTMLElement;
  const field = sheet.querySelector('textarea') as HTMLTextAreaElement;
  const texts: Record<string, () => string> = {
    link,
    embed: () => stage.embedCode(),
    frame: () => frameCode(link(), stage.text),
  };

  section.addEventListener('click', async ({ target }) => {
    const { format, copy } = (target as HTMLElement).dataset;
    if (format) {
      try {
        const name = fileName(stage.translation?.input ?? '', format);
        save(await stage.exportAs(format as ExportFormat), name);
        status.textContent = `${name} is saved.`;
      } catch (error) {
        status.textContent = (error as Error).message;
      }
    }
    const text = copy && texts[copy]?.();
    if (text) {
      sheet.hidden = false;
      field.value = text;
      field.rows = Math.min(6, text.split('\n').length + 1);
      field.select();
      const copied = await navigator.clipboard?.writeText(text).then(
        () => true,
        () => false,
      );
      status.textContent = copied
        ? 'Copied.'
        : 'This browser does not let pages copy: copy the selected text yourself.';
    }
  });
  stage.addEventListener('result', () => {
    section.hidden = false;
    sheet.hidden = true;
    status.textContent = '';
  });
}

/** HTML of a frame that shows what a link to the page shows, for systems that allow no scripts in a lesson. */
function frameCode(link: string, sentence: string): string {
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

/** A name that every file system accepts: the first words of the sentence. */
export function fileName(sentence: string, format: string): string {
  const words = sentence.toLowerCase().match(/[\p{Letter}\p{Number}]+/gu) ?? [];
  return `${['softalign', ...words.slice(0, 5)].join('-').slice(0, 60)}.${format}`;
}

function save(file: Blob, name: string): void {
  const anchor = document.createElement('a');
  anchor.href = URL.createObjectURL(file);
  anchor.download = name;
  anchor.click();
  // Not at once: some browsers ask the reader where to save it first.
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
}
