import { css, html, LitElement, nothing, svg } from 'lit';
import { property } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { live } from 'lit/directives/live.js';
import { define } from '../define.ts';
import type { Hypothesis, SearchNode } from '../translation.ts';
import { ChooseEvent } from './events.ts';
import { ruler } from './pen.ts';
import { panelStyles } from './styles.ts';
import { percent, quote } from './tell.ts';
import { type Branch, layOutTree, type TreeLayout, type TreePlace } from './tree-layout.ts';
import { readable } from './units.ts';

/** Beyond this the weakest branches are left out. */
const mostLanes = 12;
/** Number of words of a dropped beginning that are listed. */
const toldWords = 5;

/** What the search explored: the beginnings it kept, those it dropped, and the hypotheses it found. */
export class SoftAlignTree extends LitElement {
  static override styles = [
    panelStyles,
    css`
      .scroller { overflow-x: auto; padding-block: 0.2em 0.6em; scrollbar-width: thin; scrollbar-color: var(--_line) transparent; direction: ltr; }
      svg { display: block; font-size: 1em; }
      /* Lines run behind words, not through them. */
      text { fill: var(--_ink); stroke: var(--_surface); stroke-width: 5; stroke-linejoin: round; paint-order: stroke; }
      .probability { font-size: 0.75em; fill: var(--_muted); }
      .score { font-size: 0.85em; fill: var(--_muted); font-variant-numeric: tabular-nums; }
      path { fill: none; stroke: var(--_line); stroke-width: 1.5; }
      .dropped text { fill: var(--_muted); }
      .dropped path { stroke-dasharray: 2 4; }
      @media print {
        .scroller { overflow: visible; }
        svg { max-inline-size: 100%; block-size: auto; }
        details { display: none; }
      }
      .found { cursor: pointer; }
      .found path { stroke: color-mix(in oklab, var(--_accent) 40%, var(--_line)); stroke-width: 2; }
      .chosen text:not(.probability) { fill: var(--_accent); font-weight: 600; }
      path.chosen { stroke: var(--_accent); stroke-width: 2.5; stroke-dasharray: none; }
      fieldset { margin: 1em 0 0; padding: 0; border: 0; min-inline-size: 0; }
      label { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 0.7em; align-items: baseline; padding-block: 0.2em; cursor: pointer; }
      label:has(:checked) { color: var(--_accent); font-weight: 600; }
      label span:last-child { font-variant-numeric: tabular-nums; }
      input { accent-color: var(--_accent); margin: 0; }
      details { margin-block-start: 0.8em; color: var(--_muted); font-size: 0.9em; }
      summary { cursor: pointer; inline-size: fit-content; }
      ul { margin: 0.5em 0 0; padding-inline-start: 1.4em; max-block-size: 14em; overflow-y: auto; }
      .hint { margin: 0.6em 0 0; color: var(--_muted); font-size: 0.9em; }
    `,
  ];

  @property({ attribute: false }) tree: readonly SearchNode[] = [];
  /** Later words that the tree has not. */
  @property({ attribute: false }) leftOut = 0;
  /** Best first. */
  @property({ attribute: false }) hypotheses: readonly Hypothesis[] = [];
  /** Which of them is shown. */
  @property({ attribute: false }) chosen = 0;

  /** The nodes from the first word to the end of the hypothesis that is shown. */
  private path: ReadonlySet<number> = new Set();

  protected override render() {
    this.path = pathTo(this.tree, this.hypotheses[this.chosen]?.leaf ?? -1);
    const widths = this.measure();
    const layout = layOutTree({
      tree: this.tree,
      leaves: this.hypotheses.map(({ leaf }) => leaf),
      widths,
      lineHeight: this.fontSize,
      mostLanes,
    });
    const dropped = layout.branches.filter(({ hypothesis }) => hypothesis === undefined);
    return html`
      <p class="caption">${this.caption()}</p>
      <div class="scroller" tabindex="0" role="group" aria-label="The tree of the search, drawn; below it as lists">
        <svg width=${layout.width} height=${layout.height} viewBox="0 0 ${layout.width} ${layout.height}" aria-hidden="true">
          ${layout.branches.map((branch) => this.lines(branch, layout, widths))}
          ${layout.branches.map((branch) => this.words(branch, layout, widths))}
        </svg>
      </div>
      <fieldset>
        <legend class="caption">What it found, best first · score: log-probability per token</legend>
        ${this.hypotheses.map((hypothesis, index) => this.option(hypothesis, index))}
      </fieldset>
      ${dropped.length > 0 ? this.dropped(dropped, layout) : nothing}
      ${this.leftOut > 0 ? html`<p class="hint">The search weighed ${this.leftOut} more words, at later steps than are drawn.</p>` : nothing}
    `;
  }

  private caption(): string {
    return this.hypotheses.length > 1
      ? 'Every beginning that the search kept for a step; dashed ones were dropped for better ones'
      : 'A greedy search keeps one beginning; a search that keeps several has a choice';
  }

  private get fontSize(): number {
    return Number.parseFloat(getComputedStyle(this).fontSize);
  }

  private measure(): number[] {
    const pen = ruler();
    pen.font = `600 ${this.fontSize}px ${getComputedStyle(this).fontFamily}`;
    return this.tree.map((node) => Math.max(pen.measureText(readable(node)).width, 2 * this.fontSize));
  }

  private lines({ hypothesis, nodes }: Branch, { places }: TreeLayout, widths: readonly number[]) {
    return svg`<g class=${hypothesis === undefined ? 'dropped' : 'found'}>${nodes.map((index) => {
      const parent = this.tree[index]?.parent ?? -1;
      const [from, to] = [places[parent], places[index]];
      if (!from || !to) return nothing;
      const path = curve({ x: from.x + (widths[parent] as number), y: from.y }, to, this.fontSize);
      return svg`<path class=${classMap({ chosen: this.path.has(index) })} d=${path}></path>`;
    })}</g>`;
  }

  private words({ hypothesis, nodes }: Branch, { places }: TreeLayout, widths: readonly number[]) {
    const last = nodes.at(-1) as number;
    const end = places[last] as TreePlace;
    const choose = () => hypothesis !== undefined && this.dispatchEvent(new ChooseEvent(hypothesis));
    return svg`<g class=${hypothesis === undefined ? 'dropped' : 'found'} @click=${choose}>
      ${nodes.map((index) => this.word(index, places[index] as TreePlace))}
      <text class="score" x=${end.x + (widths[last] as number) + 10} y=${end.y}>${score(this.tree[last])}</text>
    </g>`;
  }

  private word(index: number, { x, y }: TreePlace) {
    const node = this.tree[index] as SearchNode;
    const share = percent(node.probability).replace('less than ', '<');
    return svg`<g class=${classMap({ chosen: this.path.has(index) })}>
      <title>${quote(readable(node))}: ${share}, score ${score(node)}</title>
      <text x=${x} y=${y}>${readable(node)}</text>
      <text class="probability" x=${x} y=${y} dy="1.4em">${share}</text>
    </g>`;
  }

  private option(hypothesis: Hypothesis, index: number) {
    const cut = hypothesis.finished ? '' : ' (cut off at the greatest length)';
    return html`<label>
      <input
        type="radio" name="hypothesis" .checked=${live(index === this.chosen)} @change=${() => this.dispatchEvent(new ChooseEvent(index))}
      />
      <span>${hypothesis.text || '(nothing)'}${cut}</span>
      <span>${score(hypothesis)}</span>
    </label>`;
  }

  private dropped(branches: readonly Branch[], { depths, hidden }: TreeLayout) {
    const told = (last: number) => {
      const node = this.tree[last];
      const how = node?.special
        ? 'finished, but not among the best'
        : `dropped after step ${(depths[last] as number) + 1}`;
      return html`<li>${beginning(this.tree, last)}: ${how}, score ${score(node)}</li>`;
    };
    return html`<details>
      <summary>${branches.length + hidden} others were dropped</summary>
      <ul tabindex="0" aria-label="What was dropped">${branches.map(({ nodes }) => told(nodes.at(-1) as number))}</ul>
      ${hidden > 0 ? html`<p class="hint">${hidden} of the weakest are neither drawn nor listed.</p>` : nothing}
    </details>`;
  }
}

function pathTo(tree: readonly SearchNode[], leaf: number): Set<number> {
  const path = new Set<number>();
  for (let node = leaf; node in tree; node = tree[node]?.parent ?? -1) path.add(node);
  return path;
}

/** The last words of a hypothesis up to a node. */
function beginning(tree: readonly SearchNode[], last: number): string {
  const nodes = [...pathTo(tree, last)].slice(0, toldWords).reverse();
  const first = tree[nodes[0] as number];
  const words = nodes.map((node, index) => {
    const word = tree[node] as SearchNode;
    return (index > 0 && word.startsWord ? ' ' : '') + readable(word);
  });
  return quote((first && first.parent >= 0 ? '… ' : '') + words.join(''));
}

function score({ score }: { score: number } = { score: 0 }): string {
  return score
    .toFixed(2)
    .replace(/^-0\.00$/, '0.00')
    .replace('-', '−');
}

/** From the end of a word to the beginning of the next, at the height of small letters. */
function curve(from: TreePlace, to: TreePlace, fontSize: number): string {
  const [x, y] = [from.x + 6, from.y - 0.3 * fontSize];
  const [endX, endY] = [to.x - 6, to.y - 0.3 * fontSize];
  // All the turning in the gap before the word: what stands further left are words of other lanes.
  const turn = Math.max(x, endX - 24);
  const middle = (turn + endX) / 2;
  return `M${x} ${y}H${turn}C${middle} ${y} ${middle} ${endY} ${endX} ${endY}`;
}

define('soft-align-tree', SoftAlignTree);

declare global {
  interface HTMLElementTagNameMap {
    'soft-align-tree': SoftAlignTree;
  }
}
