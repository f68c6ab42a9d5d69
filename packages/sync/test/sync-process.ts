// Processes that sync with the built package, for tests with kills or other Node versions.
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
  /** A file, a database address, or a Parquet folder with a slash at the end. */
  readonly target: string;
  /** Default: the end of the copy. */
  readonly since?: string | undefined;
  /** Default: the time of the service. */
  readonly until?: string | undefined;
  /** Default: a quarter of two hours. */
  readonly lateEveryMs?: number | undefined;
  readonly history?: boolean | undefined;
  /** Ids of the user and of parallel readers. Default: the only user of the login. */
  readonly users?: readonly [first: string, ...others: string[]] | undefined;
  /** The clock of the process, in milliseconds since 1970. */
  readonly now: number;
  /** The batch before which, or in whose transaction, the process kills itself. */
  readonly killAt?: number | undefined;
  readonly killIn?: 'before' | 'transaction' | undefined;
}

/** The outcome of a sync. */
export type SyncEnd =
  | { readonly until: string; readonly failures: readonly string[] }
  | { readonly reason: string; readonly message: string };

/** Replaces imports of src/ with the built package. */
const builtParts: Plugin = {
  name: 'built parts',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.\/src\// }, ({ path }) => ({
      path: join(root, 'packages/sync', path.replace('../src', 'dist')),
    })),
};

/** Bundles the program with the package, so that it starts fast; SQLite stays in node_modules. */
export async function buildSyncProgram(): Promise<string> {
  const cache = join(root, 'node_modules/.cache/fleet-tests');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'sync-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'sync-program.mjs');
  // An ES module has no require(), which undici needs for modules of Node.
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
    // A killed process does not read its input.
    this.#child.stdin.on('error', () => undefined);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    this.#closed = once(this.#child, 'close');
  }

  /** Returns the outcome of the sync; null when the process was killed. */
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
