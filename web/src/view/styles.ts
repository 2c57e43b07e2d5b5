import { css } from 'lit';

/** For assistive technology only. */
export const visuallyHidden = css`
  .visually-hidden {
    position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
    white-space: nowrap;
  }
`;

/** For the panels below the sentences: a step of the translation, and the search tree. */
export const panelStyles = css`
  :host { display: block; min-inline-size: 0; padding: 1.1em 1.25em 1.2em; border: 1px solid var(--_line); border-radius: 12px; font-size: 0.95em; }
  .buttons { display: flex; flex-wrap: wrap; gap: 0.5em; align-items: center; margin-block-end: 1em; }
  .count { margin-inline-start: auto; color: var(--_muted); font-variant-numeric: tabular-nums; }
  button, input[type='text'] {
    padding: 0.3em 0.8em; border: 1px solid var(--_line); border-radius: 8px; font: inherit; color: var(--_ink); background: none;
  }
  button { cursor: pointer; }
  button:hover:not(:disabled) { border-color: var(--_accent); }
  button:disabled { color: var(--_muted); cursor: default; }
  :focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px; }
  .caption { margin: 0 0 0.5em; padding: 0; font-size: 0.9em; font-weight: 500; color: var(--_muted); text-align: start; }
  @media print {
    .buttons, .hint, input[type='range'] { display: none; }
    button { border-color: transparent; }
  }
  .caption i, th i { font-family: ui-serif, 'Iowan Old Style', Palatino, Georgia, serif; }
`;
