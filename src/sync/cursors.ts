// Cursors as rows of the table sync_cursors, and back.
import type { Cell, Row } from './rows.js';
import type { Cursor, OpenTarget } from './target.js';

export const CURSOR_TABLE = 'sync_cursors';

/** In the order of the table's columns. */
export function cursorRow({ vehicleId, kind, beginsAt, readUntil }: Cursor): Row {
  return [vehicleId, kind, beginsAt, readUntil];
}

export async function readCursors(target: Pick<OpenTarget, 'read'>): Promise<readonly Cursor[]> {
  const rows = await target.read(CURSOR_TABLE, ['vehicle_id', 'kind', 'begins_at', 'read_until']);
  return rows.map(cursorOf);
}

function cursorOf([vehicleId, kind, beginsAt, readUntil]: readonly Cell[]): Cursor {
  return {
    vehicleId: String(vehicleId),
    kind: kind === 'trips' ? 'trips' : 'snapshots',
    beginsAt: String(beginsAt),
    readUntil: String(readUntil),
  };
}
