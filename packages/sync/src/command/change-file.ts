// The file of `--changes`: a line of JSON for each change of a record, after those of earlier syncs.
import { appendFileSync } from 'node:fs';
import { refusedFile } from 'fleet-telematics/kit/command';
import type { SyncChange } from '../index.js';

/** Its lines have personal data, so a new file is readable for its owner alone. Finds out now, before anything is sent, whether it can be written. */
export function changeFile(path: string): (change: SyncChange) => void {
  const append = (text: string) => {
    try {
      appendFileSync(path, text, { mode: 0o600 });
    } catch (error) {
      throw refusedFile('file of --changes', 'written', error);
    }
  };
  append('');
  return ({ changedAt, type, table, id, ...rest }) =>
    append(`${JSON.stringify({ changedAt, type, table, id, ...rest })}\n`);
}
