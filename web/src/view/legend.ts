import { css, html, LitElement } from 'lit';
import { property, query } from 'lit/decorators.js';
import { define } from '../define.ts';
import { ramp } from './ramp.ts';

/** The colour scale of the weights. */
export class SoftAlignLegend extends LitElement {
  static override styles = css`
    :host { display: inline-flex; align-items: center; gap: 0.6em; font-variant-numeric: tabular-nums; }
    canvas { inline-size: 8em; block-size: 0.8em; border-radius: 3px; }
  `;

  @property({ type: Boolean }) dark = false;
  @query('canvas') private canvas!: HTMLCanvasElement;

  protected override render() {
    return html`<span>0%</span><canvas width="256" height="1" role="img" aria-label="Colour scale from 0% to 100%"></canvas><span>100%</span>`;
  }

  protected override updated(): void {
    const context = this.canvas.getContext('2d');
    const hue = Number.parseFloat(getComputedStyle(this).getPropertyValue('--soft-align-hue')) || 282;
    const { colour } = ramp(hue, this.dark);
    for (let x = 0; context && x < this.canvas.width; x++) {
      context.fillStyle = colour(x / (this.canvas.width - 1));
      context.fillRect(x, 0, 1, 1);
    }
  }
}

define('soft-align-legend', SoftAlignLegend);

declare global {
  interface HTMLElementTagNameMap {
    'soft-align-legend': SoftAlignLegend;
  }
}
