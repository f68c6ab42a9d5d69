// Stops as docs/telemetry.md defines them: searches the end for each row that may begin one.

export interface Row {
  /** Seconds. */
  readonly at: number;
  /** Kilometres north of a point; null without a position. */
  readonly km: number | null;
  readonly speed: number | null;
  readonly isOn: boolean | null;
}

export interface NaiveStop {
  readonly start: number;
  readonly end: number | null;
  readonly duration: number;
  readonly idle: number;
  readonly unseen: number;
}

const moves = ({ speed }: Row) => speed !== null && speed >= 2;

/** `until`: the end of the period. */
export function naiveStops(rows: readonly Row[], until: number): readonly NaiveStop[] {
  const engine = rows.map((_, index) => rows.slice(0, index + 1).findLast(({ isOn }) => isOn !== null)?.isOn ?? null);
  const found: NaiveStop[] = [];
  for (let first = 0; first < rows.length; ) {
    const last = lastThere(rows, first);
    if (last === null) {
      first++;
      continue;
    }
    const { index, leaves, isGone } = last;
    const begin = rows[first]?.at ?? 0;
    let [end, endRow] = [rows[index]?.at ?? 0, index];
    if (leaves === null && !isGone) [end, endRow] = [Math.max(until, rows.at(-1)?.at ?? 0), rows.length - 1];
    // Parked and silent until the next row, if that is near.
    if (leaves !== null && engine[index] !== true && !isFar(rows, first, index + 1)) {
      [end, endRow] = [rows[index + 1]?.at ?? 0, index + 1];
    }
    let [idle, unseen] = [0, 0];
    for (let at = first; at < endRow; at++) {
      const seconds = Math.min(rows[at + 1]?.at ?? end, end) - (rows[at]?.at ?? 0);
      if (engine[at] !== true) continue;
      if (seconds > 15 * 60) unseen += seconds;
      else idle += seconds;
    }
    if (end - begin >= 300) {
      found.push({ start: begin, end: leaves === null ? null : end, duration: end - begin, idle, unseen });
    }
    if (leaves === null) break;
    first = leaves;
  }
  return found;
}

function placeOf(rows: readonly Row[], first: number, before: number): number | null {
  const located = rows.slice(first, before).filter((row) => row.km !== null && !moves(row));
  return located[0]?.km ?? null;
}

function isFar(rows: readonly Row[], first: number, next: number): boolean {
  const [place, km] = [placeOf(rows, first, next), rows[next]?.km ?? null];
  return place !== null && km !== null && Math.abs(km - place) > 2;
}

/** Returns the last row at the place of `first`, and the departure; null if no stop begins. */
function lastThere(rows: readonly Row[], first: number) {
  const begin = rows[first];
  if (begin === undefined || moves(begin) || (begin.km === null && begin.speed === null)) return null;
  let index = first;
  let isGone = false;
  for (let at = first + 1; at < rows.length; at++) {
    const row = rows[at];
    if (row === undefined) break;
    const place = placeOf(rows, first, at);
    if (place === null) {
      if (moves(row)) return { index, leaves: at, isGone };
      if (row.km !== null || row.speed !== null) index = at;
    } else if (row.km === null) {
      if (moves(row)) isGone = true;
      else if (row.speed !== null && !isGone) index = at;
    } else {
      const km = Math.abs(row.km - place);
      if (km > 0.05 && (row.speed !== 0 || isGone || km > 0.3)) return { index, leaves: at, isGone };
      isGone = moves(row);
      if (!isGone) index = at;
    }
  }
  return { index, leaves: null, isGone };
}
