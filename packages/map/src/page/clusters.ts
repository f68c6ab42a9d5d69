// Joins vehicles that would overlap on the screen into one mark. Each vehicle is in exactly one.

/** A position in the Mercator unit square. */
export interface Placed {
  readonly x: number;
  readonly y: number;
}

export interface Cluster<Item extends Placed> {
  readonly members: readonly Item[];
  /** Centre of the members, in the unit square. */
  readonly x: number;
  readonly y: number;
}

/** In pixels. */
export function markRadius(count: number): number {
  return count === 1 ? 10 : Math.round(12 + 3 * Math.log10(count));
}

/** Cell size in pixels: overlapping marks of the largest fleet are at most one cell apart. */
const CELL = 56;
/** Rows of cells per column, more than exist at the closest zoom. */
const COLUMN = 2 ** 22;

interface Node<Item extends Placed> {
  members: Item[];
  x: number;
  y: number;
}

/** Joins marks until no two overlap. `scale`: width of the unit square in pixels. */
export function clustersOf<Item extends Placed>(items: Iterable<Item>, scale: number): readonly Cluster<Item>[] {
  let nodes: readonly Node<Item>[] = Array.from(items, (item) => ({ members: [item], x: item.x, y: item.y }));
  for (;;) {
    const joined = joinNear(nodes, scale);
    if (joined.length === nodes.length) return joined;
    nodes = joined;
  }
}

function joinNear<Item extends Placed>(nodes: readonly Node<Item>[], scale: number): readonly Node<Item>[] {
  const cellOf = (place: number) => Math.floor((place * scale) / CELL);
  // A linked list of marks per cell.
  const heads = new Map<number, number>();
  const next = new Int32Array(nodes.length);
  nodes.forEach(({ x, y }, index) => {
    const key = cellOf(x) * COLUMN + cellOf(y);
    next[index] = heads.get(key) ?? -1;
    heads.set(key, index);
  });
  const isJoined = new Uint8Array(nodes.length);
  const joined: Node<Item>[] = [];
  nodes.forEach((node, index) => {
    if (isJoined[index] === 1) return;
    isJoined[index] = 1;
    const { x, y } = node;
    const [column, row] = [cellOf(x), cellOf(y)];
    let count = node.members.length;
    const others: Node<Item>[] = [];
    for (let key = column - 1; key <= column + 1; key++) {
      for (let line = row - 1; line <= row + 1; line++) {
        for (let i = heads.get(key * COLUMN + line) ?? -1; i >= 0; i = next[i] ?? -1) {
          const other = nodes[i];
          if (isJoined[i] === 1 || other === undefined) continue;
          const reach = (markRadius(count) + markRadius(other.members.length)) / scale;
          if ((other.x - x) ** 2 + (other.y - y) ** 2 >= reach * reach) continue;
          isJoined[i] = 1;
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

/** Divides a ring into `parts` by the counts; a non-zero count gets at least one. */
export function ringParts(counts: readonly number[], parts: number): readonly number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const shares = counts.map((count) => (count === 0 ? 0 : Math.max(1, Math.round((count / total) * parts))));
  const largest = shares.indexOf(Math.max(...shares));
  const rest = parts - shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share, index) => (index === largest && total > 0 ? share + rest : share));
}
