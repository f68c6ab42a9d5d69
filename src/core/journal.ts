// An append-only file of records, each written completely or not at all. The sync to Parquet needs
// it because it replaces its tables only at the end; a watch needs it to lose no event when it is
// killed.
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

const MARK = Buffer.from([0x89, 0x46, 0x4a, 0x0a]);
/** Mark, lengths of head and parts, checksum of both, and checksum of the frame. */
const FRAME_BYTES = 20;
const SEARCH_BYTES = 1024 * 1024;

export interface JournalRecord {
  readonly head: unknown;
  readonly partsAt: number;
}

/** Bytes that are no record. */
export interface JournalDamage {
  readonly bytes: number;
  /** True when no readable record follows. */
  readonly isLast: boolean;
}

export interface JournalOptions {
  readonly readOnly: boolean;
  /** Called before the file is changed. Returns true to read the records after the damage. */
  readonly onDamage?: ((damage: JournalDamage) => boolean) | undefined;
}

interface Frame {
  readonly text: number;
  readonly parts: number;
  readonly checksum: number;
}

export interface JournalParts {
  readonly onHalf?: (() => void) | undefined;
}

export class Journal {
  readonly #file: number;
  #size = 0;

  /**
   * Opens or creates the file, and passes every complete record to `take`. A partial record at the
   * end, left by a killed process, is removed. Other bytes that are no record are damage.
   */
  constructor(
    path: string,
    onRecord: (record: JournalRecord) => void,
    { readOnly, onDamage = () => false }: JournalOptions,
  ) {
    this.#file = openSync(path, readOnly ? 'r' : 'a+', 0o600);
    try {
      this.#read(onRecord, onDamage);
      if (!readOnly) ftruncateSync(this.#file, this.#size);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get size(): number {
    return this.#size;
  }

  /** Writes records without parts and syncs them to disk. */
  appendAll(heads: readonly unknown[]): void {
    this.#add(Buffer.concat(heads.map((head) => encodeRecord(head, []).bytes)));
  }

  /** Writes a record, syncs it to disk and returns the position of its parts. */
  append(head: unknown, parts: readonly Uint8Array[], { onHalf }: JournalParts = {}): number {
    const { bytes, textLength } = encodeRecord(head, parts);
    const partsAt = this.#size + FRAME_BYTES + textLength;
    this.#add(bytes, onHalf);
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

  #add(bytes: Uint8Array, onHalf?: () => void): void {
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
    this.#size += bytes.length;
  }

  #write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
  }

  #read(onRecord: (record: JournalRecord) => void, onDamage: (damage: JournalDamage) => boolean): void {
    const end = fstatSync(this.#file).size;
    for (let at = 0; at < end; ) {
      const record = this.#recordAt(at, end);
      if (record === null) {
        at = this.#nextMark(at + 1, end);
        continue;
      }
      if (at > this.#size && !onDamage({ bytes: at - this.#size, isLast: false })) return;
      onRecord(record);
      at = record.end;
      this.#size = at;
    }
    if (!this.#isBegun(this.#size, end)) onDamage({ bytes: end - this.#size, isLast: true });
  }

  #isBegun(at: number, end: number): boolean {
    const frame = this.#frameAt(at, end);
    return frame === null ? end - at < FRAME_BYTES : at + FRAME_BYTES + frame.text + frame.parts > end;
  }

  #frameAt(at: number, end: number): Frame | null {
    if (end - at < FRAME_BYTES) return null;
    const frame = this.bytes(at, FRAME_BYTES);
    if (!MARK.equals(frame.subarray(0, 4)) || crc32(frame.subarray(0, 16)) !== frame.readUInt32LE(16)) return null;
    return { text: frame.readUInt32LE(4), parts: frame.readUInt32LE(8), checksum: frame.readUInt32LE(12) };
  }

  /** Returns the record at a position; null when incomplete or damaged. */
  #recordAt(at: number, end: number): (JournalRecord & { readonly end: number }) | null {
    const frame = this.#frameAt(at, end);
    if (frame === null) return null;
    // `text` and `parts` are lengths in bytes.
    const { text, parts, checksum } = frame;
    const partsAt = at + FRAME_BYTES + text;
    if (partsAt + parts > end) return null;
    const body = this.bytes(at + FRAME_BYTES, text + parts);
    if (crc32(body) !== checksum) return null;
    return { head: JSON.parse(body.toString('utf8', 0, text)), partsAt, end: partsAt + parts };
  }

  #nextMark(from: number, end: number): number {
    for (let at = from; at < end; at += SEARCH_BYTES) {
      // A mark may cross the end of the searched block.
      const found = this.bytes(at, Math.min(SEARCH_BYTES + MARK.length - 1, end - at)).indexOf(MARK);
      if (found >= 0) return at + found;
    }
    return end;
  }
}

function encodeRecord(
  head: unknown,
  parts: readonly Uint8Array[],
): { readonly bytes: Buffer; readonly textLength: number } {
  const text = Buffer.from(JSON.stringify(head));
  const body = Buffer.concat([text, ...parts]);
  const frame = Buffer.alloc(FRAME_BYTES);
  MARK.copy(frame);
  frame.writeUInt32LE(text.length, 4);
  frame.writeUInt32LE(body.length - text.length, 8);
  frame.writeUInt32LE(crc32(body), 12);
  frame.writeUInt32LE(crc32(frame.subarray(0, 16)), 16);
  return { bytes: Buffer.concat([frame, body]), textLength: text.length };
}
