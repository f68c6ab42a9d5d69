import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
const MARK = Buffer.from([137, 70, 74, 10]);
const FRAME_BYTES = 20;
const SEARCH_BYTES = 1024 * 1024;
class Journal {
  #file;
  #size = 0;
  /**
   * Opens it, or makes it, and gives every whole record to `take`. A part of a record at the end was being written by a process that was
   * killed, and is removed. Other bytes that are no record are damage.
   */
  constructor(path, take, { readOnly, onDamage = () => false }) {
    this.#file = openSync(path, readOnly ? "r" : "a+", 384);
    try {
      this.#read(take, onDamage);
      if (!readOnly) ftruncateSync(this.#file, this.#size);
    } catch (error) {
      this.close();
      throw error;
    }
  }
  get size() {
    return this.#size;
  }
  /** Writes records without parts, and returns when all of them are on the disk. */
  appendAll(heads) {
    this.#add(Buffer.concat(heads.map((head) => framed(head, []).bytes)));
  }
  /** Returns where its parts are, when they are on the disk. */
  append(head, parts, { onHalf } = {}) {
    const { bytes, textLength } = framed(head, parts);
    const partsAt = this.#size + FRAME_BYTES + textLength;
    this.#add(bytes, onHalf);
    return partsAt;
  }
  bytes(at, length) {
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const read = readSync(this.#file, bytes, done, length - done, at + done);
      if (read === 0) throw new RangeError("the journal ends too early");
      done += read;
    }
    return bytes;
  }
  close() {
    closeSync(this.#file);
  }
  #add(bytes, onHalf) {
    try {
      const half = onHalf === void 0 ? 0 : bytes.length >> 1;
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
  #write(bytes) {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
  }
  #read(take, onDamage) {
    const end = fstatSync(this.#file).size;
    for (let at = 0; at < end; ) {
      const record = this.#recordAt(at, end);
      if (record === null) {
        at = this.#nextMark(at + 1, end);
        continue;
      }
      if (at > this.#size && !onDamage({ bytes: at - this.#size, isLast: false })) return;
      take(record);
      at = record.end;
      this.#size = at;
    }
    if (!this.#isBegun(this.#size, end)) onDamage({ bytes: end - this.#size, isLast: true });
  }
  /** Returns true where the bytes up to the end are the beginning of a record. */
  #isBegun(at, end) {
    const frame = this.#frameAt(at, end);
    return frame === null ? end - at < FRAME_BYTES : at + FRAME_BYTES + frame.text + frame.parts > end;
  }
  #frameAt(at, end) {
    if (end - at < FRAME_BYTES) return null;
    const frame = this.bytes(at, FRAME_BYTES);
    if (!MARK.equals(frame.subarray(0, 4)) || crc32(frame.subarray(0, 16)) !== frame.readUInt32LE(16)) return null;
    return { text: frame.readUInt32LE(4), parts: frame.readUInt32LE(8), checksum: frame.readUInt32LE(12) };
  }
  #recordAt(at, end) {
    const frame = this.#frameAt(at, end);
    if (frame === null) return null;
    const { text, parts, checksum } = frame;
    const partsAt = at + FRAME_BYTES + text;
    if (partsAt + parts > end) return null;
    const body = this.bytes(at + FRAME_BYTES, text + parts);
    if (crc32(body) !== checksum) return null;
    return { head: JSON.parse(body.toString("utf8", 0, text)), partsAt, end: partsAt + parts };
  }
  /** Returns where the next mark is; the end when there is none. */
  #nextMark(from, end) {
    for (let at = from; at < end; at += SEARCH_BYTES) {
      const found = this.bytes(at, Math.min(SEARCH_BYTES + MARK.length - 1, end - at)).indexOf(MARK);
      if (found >= 0) return at + found;
    }
    return end;
  }
}
function framed(head, parts) {
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
export {
  Journal
};
