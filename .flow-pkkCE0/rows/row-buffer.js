const BLOCK_BYTES = 256 * 1024;
const MAX_FREE_BLOCKS = 32;
class RowBuffer {
  #free = [];
  /** A block of memory; it may hold old bytes. */
  acquire() {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
  }
  /** Takes back blocks that are no longer read. Blocks that are never released are garbage collected. */
  release(blocks) {
    this.#free.push(...blocks.slice(0, MAX_FREE_BLOCKS - this.#free.length));
  }
}
class Blocks {
  #memory;
  #all = [];
  #used = BLOCK_BYTES;
  constructor(memory) {
    this.#memory = memory;
  }
  /** Calls back with each part of the copy. */
  write(bytes, onCopy) {
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
  /** Releases the blocks before the one that holds this copy. */
  freeBefore(copy) {
    const at = this.#all.findIndex((block) => block.buffer === copy.buffer);
    if (at > 0) this.#memory.release(this.#all.splice(0, at));
  }
  /** Releases all blocks. */
  free() {
    this.#memory.release(this.#all.splice(0));
    this.#used = BLOCK_BYTES;
  }
  #block() {
    const last = this.#all.at(-1);
    if (last && this.#used < BLOCK_BYTES) return last;
    const block = this.#memory.acquire();
    this.#all.push(block);
    this.#used = 0;
    return block;
  }
}
export {
  Blocks,
  RowBuffer
};
