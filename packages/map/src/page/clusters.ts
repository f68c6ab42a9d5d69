// Vehicles that would cover each other on the screen become one mark. Every vehicle is in exactly one.

/** In the square of the projection. */
export interface Placed {
  readonly x: number;
  readonly y: number;
}

export interface Cluster<Item extends Placed> {
  readonly members: readonly Item[];
  /** The middle of its members, in the square of the projection. */
  readonly x: number;
  readonly y: number;
}

/** The radius of a mark in pixels. */
export function markRadius(count: number): number {
  return count === 1 ? 10 : Math.round(12 + 3 * Math.log10(count));
}

/** No two marks are nearer than their radii: marks of the largest fleet are in neighbouring cells. */
const CELL = 56;
/** Cells in a column, more than there are at the nearest zoom. */
const COLUMN = 2 ** 22;

interface Node<Item extends Placed> {
  members: Item[];
  x: number;
  y: number;
}

/** `scale`: pixels that the square is wide. Marks are joined until none covers another one. */
export function clustersOf<Item extends Placed>(items: Iterable<Item>, scale: number): readonly Cluster<Item>[] {
  let nodes: readonly Node<Item>[] = Array.from(items, (item) => ({ members: [item], x: item.x, y: item.y }));
  for (;;) {
    const joined = joinNear(nodes, scale);
    if (joined.length === nodes.length) return joined;
    nodes = joined;
  }
}

/** Each mark takes those that cover it and have not been taken yet. */
function joinNear<Item extends Placed>(nodes: readonly Node<Item>[], scale: number): readonly Node<Item>[] {
  const cellOf = (place: number) => Math.floor((place * scale) / CELL);
  // In each cell a chain of marks.
  const heads = new Map<number, number>();
  const next = new Int32Array(nodes.length);
  nodes.forEach(({ x, y }, index) => {
    const key = cellOf(x) * COLUMN + cellOf(y);
    next[index] = heads.get(key) ?? -1;
    heads.set(key, index);
  });
  const isTaken = new Uint8Array(nodes.length);
  const joined: Node<Item>[] = [];
  nodes.forEach((node, index) => {
    if (isTaken[index] === 1) return;
    isTaken[index] = 1;
    const { x, y } = node;
    const [column, row] = [cellOf(x), cellOf(y)];
    let count = node.members.length;
    const others: Node<Item>[] = [];
    for (let key = column - 1; key <= column + 1; key++) {
      for (let line = row - 1; line <= row + 1; line++) {
        for (let i = heads.get(key * COLUMN + line) ?? -1; i >= 0; i = next[i] ?? -1) {
          const other = nodes[i];
          if (isTaken[i] === 1 || other === undefined) continue;
          const reach = (markRadius(count) + markRadius(other.members.length)) / scale;
          if ((other.x - x) ** 2 + (other.y - y) ** 2 >= reach * reach) continue;
          isTaken[i] = 1;
          count += other.members.length;
          others.push(other);
        }
      }
    }
    joined.push(others.length === 0 ? node : join([node, ...others], count));
  });
  return joined;
}

function join<Item extends Placed>(nodes: readonly Node<Item>[], count: number): Node<Item> {
  let [x, y] = [0, 0];
  for (const node of nodes) {
    x += (node.x * node.members.length) / count;
    y += (node.y * node.members.length) / count;
  }
  return { members: nodes.flatMap(({ members }) => members), x, y };
}

/** How many of a ring's parts each count gets: all together `parts`, and what there is has at least one. */
export function ringParts(counts: readonly number[], parts: number): readonly number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const shares = counts.map((count) => (count === 0 ? 0 : Math.max(1, Math.round((count / total) * parts))));
  const largest = shares.indexOf(Math.max(...shares));
  const rest = parts - shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share, index) => (index === largest && total > 0 ? share + rest : share));
}
