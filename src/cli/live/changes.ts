// The rows that --watch prints in a pipe: all rows first, then each row that has changed.
import { note, type Run } from '../context/context.js';
import type { ListShape } from '../shape/list-shape.js';
import { outageText, recoveryText } from './messages.js';
import type { AnswerEvent, OutageNotice } from './poll.js';

export interface RowIdentity<Row> {
  readonly key: (row: Row) => string;
  readonly name: (row: Row) => string;
}

/** Yields changed rows; outages and warnings go to stderr. */
export async function* changedRows<Row>(
  run: Run,
  events: AsyncIterable<AnswerEvent<readonly Row[]> | OutageNotice>,
  shape: ListShape<Row>,
  { key, name }: RowIdentity<Row>,
): AsyncIterable<Row> {
  const previous = new Map<string, PreviousRow>();
  let reported: readonly string[] = [];
  for await (const event of events) {
    if (event.kind === 'outage') {
      note(run, outageText(event, run.zone.name));
      continue;
    }
    if (event.outageMs !== null) note(run, recoveryText(event.outageMs));
    for (const warning of event.warnings) if (!reported.includes(warning)) note(run, `! ${warning}`);
    reported = event.warnings;
    const gone = new Map(previous);
    for (const row of event.answer) {
      gone.delete(key(row));
      const change = await changeOf(row, previous.get(key(row)), shape);
      previous.set(key(row), { ...change.state, name: name(row) });
      if (change.row !== null) yield change.row;
    }
    for (const [id, { name, isShown }] of gone) {
      previous.delete(id);
      if (isShown) note(run, `! ${name} is no longer visible to this user`);
    }
  }
}

interface PreviousRow {
  readonly name: string;
  /** The row as last printed, as JSON; null before. */
  readonly text: string | null;
  /** True when it matched --filter. */
  readonly isShown: boolean;
}

async function changeOf<Row>(
  row: Row,
  before: PreviousRow | undefined,
  shape: ListShape<Row>,
): Promise<{ readonly row: Row | null; readonly state: Omit<PreviousRow, 'name'> }> {
  let isShown = false;
  for await (const _ of shape.rows([row])) isShown = true;
  // A row that stops matching is printed once more, or the reader would keep its old values.
  if (!isShown && before?.isShown !== true) return { row: null, state: { text: null, isShown } };
  const shown = shape.record(row);
  const text = JSON.stringify(shown);
  return { row: text === before?.text ? null : shown, state: { text, isShown } };
}
