// The type of SQL queries on a copy.

export type CopyRow = Readonly<Record<string, unknown>>;

/**
 * Returns the rows of each statement, at most `mostRows` of each; all rows by default.
 * @throws CliError USAGE with the message of SQLite or for too much memory, TIMEOUT, ABORTED
 */
export type CopyQuery = (
  statements: readonly string[],
  signal: AbortSignal,
  mostRows?: number,
) => Promise<readonly (readonly CopyRow[])[]>;
