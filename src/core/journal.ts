// A file that grows by records at its end, each of which is there as a whole or not at all: for a sync of Parquet files, whose tables are
// replaced at its end only, and for a watch, which must not lose an event when it is killed.
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** Lengths of head and parts, and the checksum of both. */
const FRAME_BYTES = 12;

/** A record: what it says, and where its parts are in the file. */
export interface JournalRecord {
  readonly head: unknown;
  readonly partsAt: number;
}

/** Settings that only tests use. */
export interface JournalParts {
  /** Runs when half of a record is written. */
  readonly onHalf?: (() => void) | undefined;
}

export class Journal {
  readonly #file: number;
  #size = 0;

  /** Opens it, or makes it, and gives every whole record to `take`. What is behind them was being written by a process that was killed. */
  constructor(path: string, take: (record: JournalRecord) => void, { readOnly }: { readonly readOnly: boolean }) {
    this.#file = openSync(path, readOnly ? 'r' : 'a+', 0o600);
    try {
      for (let record = this.#next(); record !== null; record = this.#next()) take(record);
      if (!readOnly) ftruncateSync(this.#file, this.#size);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get size(): number {
    return this.#size;
  }

  /** Returns where its parts are, when they are on the disk. */
  append(head: unknown, parts: readonly Uint8Array[], { onHalf }: JournalParts = {}): number {
    const text = Buffer.from(JSON.stringify(head));
    const body = Buffer.concat([text, ...parts]);
    const frame = Buffer.alloc(FRAME_BYTES);
    frame.writeUInt32LE(text.length, 0);
    frame.writeUInt32LE(body.length - text.length, 4);
    frame.writeUInt32LE(crc32(body), 8);
    const bytes = Buffer.concat([frame, body]);
    try {
      const half = onHalf === undefined ? 0 : bytes.length >> 1;
      this.#write(bytes.subarray(0, half));
      onHalf?.();
      this.#write(bytes.subarray(half));
      fsyncSync(this.#file);
    } catch (error) {
      ftruncateSync(this.#file, this.#size);
      throw error;
    }
    const partsAt = this.#size + FRAME_BYTES + text.length;
    this.#size += bytes.length;
    return partsAt;
  }

  bytes(at: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const read = readSync(this.#file, bytes, done, length - done, at + done);
      if (read === 0) throw new RangeError('the journal ends too early');
      done += read;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
  }

  #next(): JournalRecord | null {
    const left = fstatSync(this.#file).size - this.#size - FRAME_BYTES;
    if (left < 0) return null;
    const frame = this.bytes(this.#size, FRAME_BYTES);
    const [text, parts] = [frame.readUInt32LE(0), frame.readUInt32LE(4)];
    if (text + parts > left) return null;
    const body = this.bytes(this.#size + FRAME_BYTES, text + parts);
    if (crc32(body) !== frame.readUInt32LE(8)) return null;
    const partsAt = this.#size + FRAME_BYTES + text;
    this.#size = partsAt + parts;
    return { head: JSON.parse(body.toString('utf8', 0, text)), partsAt };
  }
}
