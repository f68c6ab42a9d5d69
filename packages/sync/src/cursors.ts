// Converts cursors to rows of the table sync_cursors and back.
import { isDateTime } from 'fleet-telematics/kit';
import { damagedCopy } from './copy-error.js';
import type { Cell, Row } from './rows.js';
import type { Cursor, OpenTarget } from './target.js';

export const CURSOR_TABLE = 'sync_cursors';

export function cursorRow({ vehicleId, kind, beginsAt, readUntil, checkedUntil }: Cursor): Row {
  return [vehicleId, kind, beginsAt, readUntil, checkedUntil];
}

/** @throws {SyncTargetError} for a row that no sync has written. */
export async function readCursors(target: Pick<OpenTarget, 'read'>): Promise<readonly Cursor[]> {
  const rows = await target.read(CURSOR_TABLE, ['vehicle_id', 'kind', 'begins_at', 'read_until', 'checked_until']);
  return rows.map(cursorOf);
}

function cursorOf([vehicleId, kind, beginsAt, readUntil, checkedUntil = null]: readonly Cell[]): Cursor {
  const isRead = kind === 'trips' || kind === 'stops' || kind === 'snapshots';
  if (!isRead || !isTime(beginsAt) || !isTime(readUntil) || !(checkedUntil === null || isTime(checkedUntil))) {
    throw damagedCopy(
      CURSOR_TABLE,
      `the row of vehicle ${vehicleId} has a time or a kind that no sync has written`,
      'Correct the row or delete it. The next sync then reads this vehicle like a new one.',
    );
  }
  return { vehicleId: String(vehicleId), kind, beginsAt, readUntil, checkedUntil };
}

function isTime(cell: Cell | undefined): cell is string {
  return typeof cell === 'string' && isDateTime(cell);
}
