// Reusable memory for the bytes of rows. The socket's own buffers would be garbage after each part
// of a stream, and the garbage collector would leave tens of megabytes of them.

const BLOCK_BYTES = 256 * 1024;
/** The blocks of two windows of a stream; with fewer, each window would allocate new ones. */
const MAX_FREE_BLOCKS = 32;

export class RowBuffer {
  readonly #free: Buffer[] = [];

  /** Returns a block of memory, which may contain old bytes. */
  acquire(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
  }

  /** Takes back blocks that are no longer read; others are garbage collected. */
  release(blocks: readonly Buffer[]): void {
    this.#free.push(...blocks.slice(0, MAX_FREE_BLOCKS - this.#free.length));
  }
}

export class Blocks {
  readonly #memory: RowBuffer;
  readonly #all: Buffer[] = [];
  #used = BLOCK_BYTES;

  constructor(memory: RowBuffer) {
    this.#memory = memory;
  }

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

  freeBefore(copy: Uint8Array): void {
    const at = this.#all.findIndex((block) => block.buffer === copy.buffer);
    if (at > 0) this.#memory.release(this.#all.splice(0, at));
  }

  free(): void {
    this.#memory.release(this.#all.splice(0));
    // The next write takes a new block.
    this.#used = BLOCK_BYTES;
  }

  #block(): Buffer {
    const last = this.#all.at(-1);
    if (last && this.#used < BLOCK_BYTES) return last;
    const block = this.#memory.acquire();
    this.#all.push(block);
    this.#used = 0;
    return block;
  }
}
