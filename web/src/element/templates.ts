// The parts of the element that know nothing of its state.
import { html, nothing, type TemplateResult } from 'lit';
import type { SoftAlignError } from '../errors.ts';
import type { Progress } from '../loading/download.ts';
import { enumerate, quote } from '../view/tell.ts';
import type { Imposition } from './imposed.ts';

export function failureBox(error: SoftAlignError, retry: () => void): TemplateResult {
  return html`<div class="status error" part="status" lang="en" dir="ltr" role="alert">
    <p>${error.message}</p>
    <button type="button" @click=${retry}>Try again</button>
  </div>`;
}

export function progressBar({ loaded, total }: Partial<Progress> = {}): TemplateResult {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  return html`<div class="status" part="status" lang="en" dir="ltr">
    <label>
      Loading the model${loaded ? html` · ${megabytes(loaded)}${total ? ` of ${megabytes(total)}` : ''} MB` : ''}
      <progress max="1" value=${total ? (loaded ?? 0) / total : nothing}></progress>
    </label>
  </div>`;
}

export const workingBar = html`<div class="status" part="status" lang="en" dir="ltr">
  <label>Translating <progress></progress></label>
</div>`;

export function fileOpener(open: (file: File) => void): TemplateResult {
  const chosen = ({ target }: Event) => {
    const input = target as HTMLInputElement;
    const file = input.files?.[0];
    if (file) open(file);
    // So that the same file can be chosen again after it was repaired.
    input.value = '';
  };
  return html`<label class="opener">
    <input class="visually-hidden" type="file" accept=".safetensors" @change=${chosen} />
    <span title="A file of your own, which stays on this device">Open a model file</span>
  </label>`;
}

export function switchBox(label: string, on: boolean, turned: (on: boolean) => void): TemplateResult {
  return html`<label class="switch"
    ><input
      type="checkbox" role="switch" .checked=${on} @change=${({ target }: Event) => turned((target as HTMLInputElement).checked)}
    />
    ${label}</label
  >`;
}

/** Says that the model did not write this by itself. @param words the target's tokens, as they are read */
export function imposedNotice(
  impositions: readonly Imposition[],
  words: readonly string[],
  undo: () => void,
): TemplateResult {
  const told = impositions.map(({ step, what }) =>
    what === 'word' ? `wrote ${quote(words[step])} at step ${step + 1}` : `changed what step ${step + 1} read`,
  );
  return html`<div class="notice imposed" part="notice" lang="en" dir="ltr" translate="no">
    <p role="status"><strong>Imposed:</strong> you ${enumerate(told)}; the model wrote the rest from there.</p>
    <button type="button" @click=${undo}>Back to the model’s own choice</button>
  </div>`;
}

export function otherHypothesisNotice(hypothesis: number, count: number, best: () => void): TemplateResult {
  return html`<div class="notice" part="notice" lang="en" dir="ltr">
    <p role="status">This is hypothesis ${hypothesis + 1} of ${count}, not the best one.</p>
    <button type="button" @click=${best}>Show the best</button>
  </div>`;
}

export const bottleneck: TemplateResult = html`<div class="bottleneck" part="heatmap" lang="en" dir="ltr">
  <p>This model has no attention. It read the whole sentence once, kept it in one list of numbers of fixed size, and
    wrote from that memory alone: there is nothing to point at.</p>
</div>`;
