// The questions to a copy, in SQL.

/** A row of an answer, by column. */
export type CopyRow = Readonly<Record<string, unknown>>;

/**
 * Returns the rows of each statement, at most `mostRows` of each. Default: all rows.
 * @throws CliError USAGE with the message of SQLite or for too much memory, TIMEOUT, ABORTED
 */
export type CopyQuery = (
  statements: readonly string[],
  signal: AbortSignal,
  mostRows?: number,
) => Promise<readonly (readonly CopyRow[])[]>;
