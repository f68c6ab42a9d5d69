// Starts the pager: FLEET_PAGER, else PAGER, else less if it is installed.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { childEnv } from './child-env.js';

/** A running pager. */
export interface Pager {
  /** What is written here is paged. Fails with EPIPE when the reader leaves. */
  readonly input: NodeJS.WritableStream;
  /** Resolves when the reader has left. */
  readonly closed: Promise<void>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The command line of the pager; null for none, as on a dumb terminal. An empty variable and `cat` mean none. */
export function pagerCommand(env: Env): string | null {
  if (env.TERM === 'dumb' || env.TERM === undefined) return null;
  const named = env.FLEET_PAGER ?? env.PAGER;
  if (named !== undefined) return named.trim() === '' || named.trim() === 'cat' ? null : named;
  return isInstalled('less', env.PATH ?? '') ? 'less -FRX' : null;
}

/** Runs the command line in a shell, because it may have options. `less` lets colours through, also where PAGER names it without -R. */
export function startPager(command: string, env: Env): Pager {
  const child = spawn(command, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...childEnv(env), LESS: env.LESS ?? 'FRX', LV: env.LV ?? '-c' },
  });
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  return { input: child.stdin, closed };
}

function isInstalled(program: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}
