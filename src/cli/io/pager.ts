// Starts the pager: FLEET_PAGER, else PAGER, else less if it is installed.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { childEnv, type Env } from './child-env.js';

export interface Pager {
  /** Fails with EPIPE when the user quits the pager. */
  readonly input: NodeJS.WritableStream;
  /** Resolves when the user has quit the pager. */
  readonly closed: Promise<void>;
}

/** Returns the command line of the pager; null on a dumb terminal, or when it is empty or `cat`. */
export function pagerCommand(env: Env): string | null {
  if (env.TERM === 'dumb' || env.TERM === undefined) return null;
  const named = env.FLEET_PAGER ?? env.PAGER;
  if (named !== undefined) return named.trim() === '' || named.trim() === 'cat' ? null : named;
  return isInstalled('less', env.PATH ?? '') ? 'less -FRX' : null;
}

/** Runs the command line in a shell, because it may have options. LESS enables colours. */
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
