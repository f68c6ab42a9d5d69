// How rows get to a reader that is slower than they come.
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { writeAll } from '../../src/cli/io/io.js';

/** Takes one write at a time, and only when told to go on. */
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

test('rows that come with pauses are not piled up before a reader that is slow', async () => {
  const reader = new SlowReader();
  let given = 0;
  async function* rows() {
    for (; given < 5_000; given++) {
      yield `${String(given).padStart(99, '0')}\n`;
      await setImmediate();
    }
  }
  const writing = writeAll(reader, rows());
  for (let turn = 0; turn < 2_000; turn++) await setImmediate();
  // About one portion waits to be written, and one write waits to be taken.
  expect(given).toBeLessThan(700);
  expect(reader.listenerCount('drain')).toBeLessThan(3);
  reader.free();
  await writing;
  const lines = reader.text.trimEnd().split('\n');
  expect(lines.map(Number)).toEqual([...lines.keys()]);
  expect(lines).toHaveLength(5_000);
});
