// What a pipe gets under --watch: every row first, then each row that is no longer what it was.
import { type Context, note } from '../run/context.js';
import type { Shape } from '../shape/list-shape.js';
import type { Answered, Outage } from './poll.js';
import { backText, outageText } from './words.js';

/** Rows over time: how they are told apart, and how they are called. */
export interface Rows<Row> {
  readonly key: (row: Row) => string;
  readonly name: (row: Row) => string;
}

/** Changes as they come; what happens between them is said on stderr. */
export async function* changes<Row>(
  context: Context,
  events: AsyncIterable<Answered<readonly Row[]> | Outage>,
  shape: Shape<Row>,
  { key, name }: Rows<Row>,
): AsyncIterable<Row> {
  const known = new Map<string, Known>();
  let told: readonly string[] = [];
  for await (const event of events) {
    if (event.kind === 'outage') {
      note(context, outageText(event));
      continue;
    }
    if (event.outageMs !== null) note(context, backText(event.outageMs));
    for (const complaint of event.complaints) if (!told.includes(complaint)) note(context, `! ${complaint}`);
    told = event.complaints;
    const gone = new Map(known);
    for (const row of event.answer) {
      gone.delete(key(row));
      const change = await changed(row, known.get(key(row)), shape);
      known.set(key(row), { ...change.known, name: name(row) });
      if (change.row !== null) yield change.row;
    }
    for (const [id, { name, passed }] of gone) {
      known.delete(id);
      if (passed) note(context, `! ${name} is no longer visible to this user`);
    }
  }
}

interface Known {
  readonly name: string;
  /** As it was last given. */
  readonly text: string | null;
  /** Whether --filter lets it through. */
  readonly passed: boolean;
}

async function changed<Row>(
  row: Row,
  before: Known | undefined,
  shape: Shape<Row>,
): Promise<{ readonly row: Row | null; readonly known: Omit<Known, 'name'> }> {
  let passed = false;
  for await (const _ of shape.rows([row])) passed = true;
  // A row that --filter no longer lets through is given once more as it is now: its reader would think that nothing happened.
  if (!passed && before?.passed !== true) return { row: null, known: { text: null, passed } };
  const shown = shape.record(row);
  const text = JSON.stringify(shown);
  return { row: text === before?.text ? null : shown, known: { text, passed } };
}
