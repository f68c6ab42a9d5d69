// Processes that sync with the built package, for the tests that kill them or need another version of Node.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { root } from '../../../test/docs/markdown.js';

/** A sync of all parts. */
export interface SyncJob {
  readonly baseUrl: string;
  /** A file, the address of a database, or a folder of Parquet files, with a slash at its end. */
  readonly target: string;
  /** Default: from where the copy ends. */
  readonly since?: string | undefined;
  /** Default: the time of the service. */
  readonly until?: string | undefined;
  /** Default: a quarter of two hours. */
  readonly lateEveryMs?: number | undefined;
  readonly history?: boolean | undefined;
  /** The user, and those who read beside it, by their ids. Default: the only user of the login. */
  readonly users?: readonly [first: string, ...others: string[]] | undefined;
  /** What the clock of the process shows. Milliseconds since 1970. */
  readonly now: number;
  /** The process kills itself at this batch: before it, or within its transaction. */
  readonly killAt?: number | undefined;
  readonly killIn?: 'before' | 'transaction' | undefined;
}

/** How a sync ended. */
export type SyncEnd =
  | { readonly until: string; readonly failures: readonly string[] }
  | { readonly reason: string; readonly message: string };

/** What the program imports of src/ comes from the built package. */
const builtParts: Plugin = {
  name: 'built parts',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.\/src\// }, ({ path }) => ({
      path: join(root, 'packages/sync', path.replace('../src', 'dist')),
    })),
};

/** The program with the package in one file, so that its many starts are quick; SQLite is found in node_modules. */
export async function buildSyncProgram(): Promise<string> {
  const cache = join(root, 'node_modules/.cache/fleet-tests');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'sync-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'sync-program.mjs');
  // An ES module has no require(), which undici needs for Node's own modules.
  const js = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await build({
    entryPoints: [fileURLToPath(new URL('sync-program.mjs', import.meta.url))],
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', banner: { js } },
    external: ['node-sqlite3-wasm'],
    plugins: [builtParts],
  });
  return outfile;
}

export class SyncProcess {
  readonly #child;
  readonly #lines;
  readonly #closed: Promise<readonly unknown[]>;

  constructor(program: string, node = process.execPath) {
    this.#child = spawn(node, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
    // A process that is killed does not read its input.
    this.#child.stdin.on('error', () => undefined);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    this.#closed = once(this.#child, 'close');
  }

  /** How the sync ended; null when the process was killed. */
  async run(job: SyncJob, onBatch: (batch: number) => void = () => undefined): Promise<SyncEnd | null> {
    this.#child.stdin.write(`${JSON.stringify(job)}\n`);
    for (;;) {
      const { done, value } = await this.#lines.next();
      if (done) {
        const [code, signal] = await this.#closed;
        if (signal !== 'SIGKILL') throw new Error(`the process was not killed, and ended with ${code ?? signal}`);
        return null;
      }
      if (value.startsWith('done ')) return JSON.parse(value.slice('done '.length));
      onBatch(Number(value.slice('batch '.length)));
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    await this.#closed;
  }
}
