// Writing rows to a slow reader.
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { writeAll } from '../../src/cli/io/io.js';

/** Accepts one write at a time, and only when the test continues it. */
class SlowReader extends Writable {
  text = '';
  #next: (() => void) | null = null;
  #isFree = false;

  constructor() {
    super({ highWaterMark: 1 });
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    if (this.#isFree) done();
    else this.#next = done;
  }

  free(): void {
    this.#isFree = true;
    this.#next?.();
  }
}

test('rows that arrive with pauses do not pile up for a slow reader', async () => {
  const reader = new SlowReader();
  let rowCount = 0;
  async function* rows() {
    for (; rowCount < 5_000; rowCount++) {
      yield `${String(rowCount).padStart(99, '0')}\n`;
      await setImmediate();
    }
  }
  const writing = writeAll(reader, rows());
  for (let turn = 0; turn < 2_000; turn++) await setImmediate();
  // About one chunk is buffered, and one write is pending.
  expect(rowCount).toBeLessThan(700);
  expect(reader.listenerCount('drain')).toBeLessThan(3);
  reader.free();
  await writing;
  const lines = reader.text.trimEnd().split('\n');
  expect(lines.map(Number)).toEqual([...lines.keys()]);
  expect(lines).toHaveLength(5_000);
});
