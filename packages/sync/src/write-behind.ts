// Writes a batch while the next one is read, because a database server works in parallel. At most
// one is being written, so memory stays small and batches keep their order.

/** A function that takes a batch when the one before is written. Rejects if that write failed. */
export type WriteBehind = (batch: () => Promise<void>) => Promise<void>;

/** Resolves when all batches of `work` are written. After a rejection, nothing is being written. */
export async function writeBehind(work: (writing: WriteBehind) => Promise<void>): Promise<void> {
  let last: Promise<void> = Promise.resolve();
  try {
    await work(async (batch) => {
      const before = last;
      // Several may wait for their turn. After a batch that failed, no other is written.
      last = before.then(batch);
      // Thrown when the next batch comes, or at the end.
      last.catch(() => undefined);
      await before;
    });
  } finally {
    await last;
  }
}
