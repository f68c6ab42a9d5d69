// Memory that the bytes of one window after the other go through. A socket's own buffers would outlive a window only by a little, but by
// enough for the garbage collector to leave them for later: tens of megabytes that are in nobody's use.

const BLOCK_BYTES = 256 * 1024;
/** What is kept for the next answer. Fewer would come and go with every long answer, and each time be garbage to collect. */
const KEPT_BLOCKS = 64;

export class RowBuffer {
  readonly #free: Buffer[] = [];

  /** A block nobody else writes to, whatever is in it. */
  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
  }

  /** Blocks that nobody reads any more. What is never given back is the garbage collector's. */
  giveBack(blocks: readonly Buffer[]): void {
    this.#free.push(...blocks.slice(0, KEPT_BLOCKS - this.#free.length));
  }
}

/** Bytes of an answer, put one after the other into as few blocks as they need. */
export class Blocks {
  readonly #memory: RowBuffer;
  readonly #all: Buffer[] = [];
  #used = BLOCK_BYTES;

  constructor(memory: RowBuffer) {
    this.#memory = memory;
  }

  /** Copies the bytes, and calls back with each part of the copy. */
  write(bytes: Uint8Array, onCopy: (copy: Buffer) => void): void {
    let from = 0;
    while (from < bytes.length) {
      const block = this.#block();
      const part = bytes.subarray(from, from + BLOCK_BYTES - this.#used);
      block.set(part, this.#used);
      const copy = block.subarray(this.#used, this.#used + part.length);
      this.#used += part.length;
      from += part.length;
      onCopy(copy);
    }
  }

  /** Copies before this one, which was made by this writer, are read no more. */
  freeBefore(copy: Uint8Array): void {
    const at = this.#all.findIndex((block) => block.buffer === copy.buffer);
    if (at > 0) this.#memory.giveBack(this.#all.splice(0, at));
  }

  /** Nobody reads the copies any more. */
  free(): void {
    this.#memory.giveBack(this.#all.splice(0));
    this.#used = BLOCK_BYTES;
  }

  #block(): Buffer {
    const last = this.#all.at(-1);
    if (last && this.#used < BLOCK_BYTES) return last;
    const block = this.#memory.take();
    this.#all.push(block);
    this.#used = 0;
    return block;
  }
}
