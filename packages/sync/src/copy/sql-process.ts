// Runs SQL on a SQLite file in a child process: a query may never end, or need much memory.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { bareEnv, CliError } from 'fleet-telematics/kit/command';

export interface SqlQuestion {
  readonly path: string;
  readonly statements: readonly string[];
  /** Per statement; -1 for all rows. */
  readonly mostRows: number;
  readonly memoryMb: number;
}

export interface SqlRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

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

/** The message of the child process: the rows of each statement in order, or SQLite's message. */
export type SqlAnswer = { readonly results: readonly SqlRows[] } | { readonly fault: string };

/**
 * Returns the rows of each statement after the process has ended.
 * @throws CliError USAGE with the message of SQLite or for too much memory, TIMEOUT, ABORTED
 */
export async function runSql(
  question: SqlQuestion,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<readonly SqlRows[]> {
  if (signal.aborted) throw new CliError('ABORTED', 'Interrupted.');
  const child = fork(new URL('./sql-program.cjs', String(import.meta.url)), {
    // The environment may hold credentials. Node 22 warns that SQLite is experimental.
    ...{ env: bareEnv(), execArgv: ['--no-warnings'], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
    ...{ signal, timeout: timeoutMs, killSignal: 'SIGKILL' },
  });
  child.send(question, () => undefined);
  let answer: SqlAnswer | undefined;
  // The program sends one message of this type.
  child.once('message', (message) => {
    answer = message as SqlAnswer;
  });
  await once(child, 'close').catch((error: unknown) => {
    throw signal.aborted ? new CliError('ABORTED', 'Interrupted.') : error;
  });
  if (answer === undefined) {
    const [code, reason] = child.killed
      ? (['TIMEOUT', `did not end within ${timeoutMs / 1_000} s`] as const)
      : (['USAGE', `needs more than ${question.memoryMb} MB of memory`] as const);
    throw new CliError(code, `The statement ${reason} and was stopped.`, {
      hint: 'Ask for less: a shorter period, a condition on an indexed column such as vehicle_id, a LIMIT.',
    });
  }
  if ('results' in answer) return answer.results;
  const fault = answer.fault.replaceAll(question.path, 'the copy').replace(/[.?]$/, '');
  throw new CliError('USAGE', `The statement was refused: ${fault}.`, {
    hint: 'Send one SELECT, WITH or VALUES. SELECT name, sql FROM sqlite_master lists the tables and their columns.',
  });
}
