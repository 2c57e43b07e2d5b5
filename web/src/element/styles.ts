import { css } from 'lit';

export const elementStyles = css`
  :host {
    --_ink: var(--soft-align-color, light-dark(#1d2030, #e8e9f3));
    --_muted: light-dark(#666b80, #9a9fb8);
    --_line: light-dark(#d9dbe6, #363a50);
    --_surface: var(--soft-align-surface, light-dark(#ffffff, #171926));
    --_accent: var(--soft-align-accent, light-dark(#4c2fc4, #a99bff));
    --_on-accent: light-dark(#ffffff, #14121f);
    --_imposed: light-dark(#9a4a00, #f2b45c);
    --_tint: color-mix(in oklab, var(--_accent) 16%, transparent);
    color-scheme: light dark;
    display: block; container-type: inline-size; color: var(--_ink); background: var(--_surface);
    /* Its colours are what it shows. */
    -webkit-print-color-adjust: exact; print-color-adjust: exact;
  }
  :host([hidden]) { display: none; }
  :host([theme='light']) { color-scheme: light; }
  :host([theme='dark']) { color-scheme: dark; }

  .layout { display: grid; gap: 1.75rem; }
  .words { min-inline-size: 0; }
  figure { margin: 0; min-inline-size: 0; }
  soft-align-sentences { font-size: 1.05em; }
  soft-align-heatmap { font-size: 0.95em; }

  textarea {
    box-sizing: border-box; inline-size: 100%; resize: vertical; field-sizing: content; min-block-size: 2.9em;
    padding: 0.6em 0.75em; margin-block-end: 1rem; border: 1px solid var(--_line); border-radius: 10px;
    font: inherit; font-size: 1.15em; line-height: 1.4; color: inherit;
    background: light-dark(#fbfbfe, #1e2131);
  }
  textarea:focus-visible { outline: 2px solid var(--_accent); outline-offset: 1px; border-color: transparent; }

  .opener { display: inline-block; font-size: 0.9em; }
  .opener span {
    display: inline-block; padding: 0.3em 0.75em; border: 1px dashed var(--_muted); border-radius: 8px; color: var(--_ink);
    cursor: pointer;
  }
  .opener span:hover { border-color: var(--_accent); }
  .opener input:focus-visible + span { outline: 2px solid var(--_accent); outline-offset: 2px; }
  .hovered { outline: 2px dashed var(--_accent); outline-offset: 0.6rem; border-radius: 6px; }
  .bottleneck {
    display: grid; align-content: center; min-block-size: 8rem; padding: 1.2em 1.6em; border: 1px dashed var(--_line);
    border-radius: 10px; color: var(--_muted);
  }
  .bottleneck p { margin: 0 0 1em; max-inline-size: 34em; }

  .notice {
    display: flex; flex-wrap: wrap; gap: 0.5em 1.2em; align-items: center; justify-content: space-between;
    margin-block-start: 1.1rem; padding: 0.7em 1em; border-radius: 10px; background: var(--_tint); font-size: 0.95em;
  }
  .notice p { margin: 0; flex: 1 1 16em; }
  .notice.imposed { background: light-dark(#fff3e2, #35280f); }
  .imposed strong { color: var(--_imposed); }

  .stale soft-align-sentences, .stale .telling { opacity: 0.45; transition: opacity 200ms 300ms; }
  .status { margin-block: 1rem; color: var(--_muted); font-size: 0.9em; }
  .status label { display: grid; gap: 0.4em; }
  progress {
    appearance: none; inline-size: 100%; block-size: 4px; border: 0; border-radius: 2px; overflow: hidden;
    background: var(--_line);
  }
  progress::-webkit-progress-bar { background: var(--_line); }
  progress::-webkit-progress-value { background: var(--_accent); transition: inline-size 150ms; }
  progress::-moz-progress-bar { background: var(--_accent); }

  .error {
    padding: 0.8em 1em; border-inline-start: 4px solid light-dark(#b3261e, #ff8a80); border-radius: 6px;
    color: var(--_ink); background: light-dark(#fdf0ef, #37201f); overflow-wrap: anywhere;
  }
  .error p { margin: 0 0 0.6em; }
  button {
    padding: 0.35em 0.9em; border: 1px solid currentColor; border-radius: 6px; font: inherit; color: inherit;
    background: none; cursor: pointer;
  }
  button:focus-visible, input:focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px; }

  figcaption { margin-block-start: 0.9rem; font-size: 0.95em; }
  .telling { margin: 1.1rem 0 0; min-block-size: 2.8em; line-height: 1.4; }
  .hint { color: var(--_muted); }
  .words .controls { margin-block-start: 0.7rem; }
  .controls { display: flex; flex-wrap: wrap; gap: 0.6em 2em; align-items: center; color: var(--_muted); font-size: 0.9em; }
  .switch { display: inline-flex; gap: 0.5em; align-items: center; cursor: pointer; color: var(--_ink); }
  .switch input { accent-color: var(--_accent); inline-size: 1.1em; block-size: 1.1em; margin: 0; }

  /* Of a width of its own, which fits A4 and Letter: what is measured on the screen holds on paper. */
  .printing {
    inline-size: 17cm; font-size: 16px; color: var(--_ink); background: var(--_surface); color-scheme: light;
  }
  .printing :is(textarea, .controls, .notice button, .opener, .hint, .error, .status, figcaption) { display: none; }
  @media print {
    :host, :host([theme]) { color-scheme: light; }
  }
  @media (forced-colors: active) {
    progress { forced-color-adjust: none; }
  }

  @container (min-width: 56rem) {
    .layout:not(.printing) soft-align-sentences { font-size: 1.25em; }
    .layout:not(.long, .printing) { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.75rem 2.75rem; }
    .layout:not(.long, .printing) > :is(soft-align-step, soft-align-tree) { grid-column: 1 / -1; }
    .layout:not(.long, .printing) > :is(figure, .bottleneck) { grid-area: 1 / 2; }
  }
  @media (prefers-reduced-motion: reduce) {
    progress::-webkit-progress-value { transition: none; }
  }
`;
