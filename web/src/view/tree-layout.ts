// Where the parts of a search tree lie, in CSS pixels: steps from left to right, in lanes below each other. A hypothesis
// stays in its lane, and a lane that has ended is reused, so that the tree of a long sentence is long but not high.
import type { SearchNode } from '../translation.ts';

export interface TreeInput {
  readonly tree: readonly SearchNode[];
  /** The last node of every hypothesis that was found, best first. */
  readonly leaves: readonly number[];
  /** Width of every node's text. */
  readonly widths: readonly number[];
  readonly lineHeight: number;
  readonly mostLanes: number;
}

/** A run of nodes in one lane, each the child of the one before. */
export interface Branch {
  readonly nodes: readonly number[];
  readonly lane: number;
  /** The hypothesis it ends with, best first; undefined if it was dropped. */
  readonly hypothesis: number | undefined;
}

export interface TreePlace {
  readonly x: number;
  readonly y: number;
}

export interface TreeLayout {
  /** The drawn ones, the best hypothesis first. */
  readonly branches: readonly Branch[];
  /** Left edge of every node; undefined if it is not drawn. */
  readonly places: readonly (TreePlace | undefined)[];
  /** Step of every node, from 0. */
  readonly depths: readonly number[];
  /** How many branches found no lane. */
  readonly hidden: number;
  readonly width: number;
  readonly height: number;
}

/** Room for the curves between two steps, and for a score behind a branch's end. */
const gap = 30;
const scoreWidth = 64;

export function layOutTree(input: TreeInput): TreeLayout {
  const { tree, widths, lineHeight } = input;
  const depths: number[] = [];
  for (const { parent } of tree) depths.push(parent < 0 ? 0 : (depths[parent] as number) + 1);
  const { branches, hidden } = assignLanes(splitIntoBranches(input, depths), input, depths);

  const columns: number[] = [];
  for (const { nodes } of branches)
    for (const node of nodes) {
      const depth = depths[node] as number;
      columns[depth] = Math.max(columns[depth] ?? 0, widths[node] as number);
    }
  const lefts = [0];
  for (const width of columns) lefts.push((lefts.at(-1) as number) + width + gap);

  const laneHeight = 2.7 * lineHeight;
  const places: (TreePlace | undefined)[] = tree.map(() => undefined);
  for (const { nodes, lane } of branches)
    for (const node of nodes)
      places[node] = { x: lefts[depths[node] as number] as number, y: (lane + 0.4) * laneHeight };
  const lanes = 1 + Math.max(0, ...branches.map(({ lane }) => lane));
  return { branches, places, depths, hidden, width: (lefts.at(-1) as number) + scoreWidth, height: lanes * laneHeight };
}

interface Split {
  readonly nodes: number[];
  readonly hypothesis: number | undefined;
}

/** Every branch continues with its most promising child; the others start branches of their own. */
function splitIntoBranches({ tree, leaves }: TreeInput, depths: readonly number[]): Split[] {
  const children: number[][] = tree.map(() => []);
  const ranks = tree.map((_, node) => rankOf(leaves, node));
  const reaches = [...depths];
  for (let node = tree.length - 1; node >= 0; node--) {
    const parent = tree[node]?.parent ?? -1;
    if (parent < 0) continue;
    ranks[parent] = Math.min(ranks[parent] as number, ranks[node] as number);
    reaches[parent] = Math.max(reaches[parent] as number, reaches[node] as number);
    children[parent]?.unshift(node);
  }
  const promising = (a: number, b: number) =>
    compare(ranks[a], ranks[b]) || compare(reaches[b], reaches[a]) || compare(tree[b]?.score, tree[a]?.score);
  const branches: Split[] = [];
  const starts = [...tree.keys()].filter((node) => (tree[node]?.parent ?? -1) < 0);
  for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
    const nodes = [start];
    for (let last = start; ; ) {
      const [main, ...others] = (children[last] ?? []).sort(promising);
      starts.push(...others);
      if (main === undefined) break;
      nodes.push(main);
      last = main;
    }
    const rank = ranks[start] as number;
    branches.push({ nodes, hypothesis: Number.isFinite(rank) ? rank : undefined });
  }
  // A branch stands before those that leave it: its hypothesis is a better one, or it began earlier.
  return branches.sort(
    (a, b) =>
      compare(a.hypothesis ?? Number.POSITIVE_INFINITY, b.hypothesis ?? Number.POSITIVE_INFINITY) ||
      compare(a.nodes[0], b.nodes[0]),
  );
}

function rankOf(leaves: readonly number[], node: number): number {
  const rank = leaves.indexOf(node);
  return rank < 0 ? Number.POSITIVE_INFINITY : rank;
}

function compare(a = 0, b = 0): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The highest lane below the one that it leaves with nothing in it at these steps. */
function assignLanes(
  splits: readonly Split[],
  { tree, mostLanes }: TreeInput,
  depths: readonly number[],
): { branches: Branch[]; hidden: number } {
  const taken: Set<number>[] = [];
  const laneOf = new Map<number, number>();
  const branches: Branch[] = [];
  for (const { nodes, hypothesis } of splits) {
    const first = nodes[0] as number;
    const parent = tree[first]?.parent ?? -1;
    const above = parent < 0 ? -1 : laneOf.get(parent);
    // What it leaves found no lane.
    if (above === undefined) continue;
    // One step more, for its score.
    const steps = Array.from({ length: nodes.length + 1 }, (_, i) => (depths[first] as number) + i);
    let lane = above + 1;
    while (steps.some((step) => taken[lane]?.has(step))) lane++;
    if (lane >= mostLanes && hypothesis === undefined) continue;
    taken[lane] ??= new Set();
    for (const step of steps) taken[lane]?.add(step);
    for (const node of nodes) laneOf.set(node, lane);
    branches.push({ nodes, lane, hypothesis });
  }
  return { branches, hidden: splits.length - branches.length };
}
