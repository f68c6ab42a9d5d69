// Writes a batch while the next one is read and made, as a database on a server works by itself. At most one is being written: memory stays small,
// and batches are written one after the other.

/** Takes a batch when the one before is written. Rejects when that one could not be. */
export type WriteBehind = (batch: () => Promise<void>) => Promise<void>;

/** Done when all batches of `work` are written. When it rejects, nothing is being written any more. */
export async function writeBehind(work: (writing: WriteBehind) => Promise<void>): Promise<void> {
  let last: Promise<void> = Promise.resolve();
  try {
    await work(async (batch) => {
      const before = last;
      // Several may wait for their turn. After a batch that could not be written, none is.
      last = before.then(batch);
      // Told when the next batch comes, or at the end.
      last.catch(() => undefined);
      await before;
    });
  } finally {
    await last;
  }
}
