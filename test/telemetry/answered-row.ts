// The row as the service answered it, to compare the rows of a stream with an answer.

/** Without the number that streams add to each row. */
export function answered(row: unknown): object {
  // Every row of a stream is an object with this member.
  const { ordinal: _, ...rest } = row as { readonly ordinal?: number };
  return rest;
}
