import { css } from 'lit';

/** For assistive technology only. */
export const visuallyHidden = css`
  .visually-hidden {
    position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
    white-space: nowrap;
  }
`;
