// Restores the row as the service answered it, to compare streamed rows with an answer.

/** Returns the row without the `ordinal` that streams add. */
export function withoutOrdinal(row: unknown): object {
  // Safe cast: every row of a stream is an object with this member.
  const { ordinal: _, ...rest } = row as { readonly ordinal?: number };
  return rest;
}
