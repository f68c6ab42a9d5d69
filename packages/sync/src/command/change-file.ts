// Writes the file of `--changes`: one line of JSON per change, after the lines of earlier syncs.
import { appendFileSync } from 'node:fs';
import { refusedFile } from 'fleet-telematics/kit/command';
import type { SyncChange } from '../index.js';

/**
 * Checks before anything is sent that the file can be written. A new file is readable by its owner
 * alone, because changes contain personal data.
 */
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
