// Opens the map in a browser. Other users can read the browser's arguments, so the secret address
// is in a page that redirects to the map, which only its owner can read.
import type { SpawnOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { childEnv } from 'fleet-telematics/kit/command';

export interface OpeningFile {
  readonly url: string;
  remove(): void;
}

/** Returns null when no folder is writable. */
export function openingFile(address: string, env: Readonly<Record<string, string | undefined>>): OpeningFile | null {
  const name = `fleet-map-${randomBytes(8).toString('hex')}.html`;
  // Sandboxed browsers (snap) see only the home folder's visible part, and their own /tmp.
  for (const folder of [env.HOME || env.USERPROFILE || homedir(), tmpdir()]) {
    const path = join(folder, name);
    try {
      writeFileSync(path, pageTo(address), { mode: 0o600, flag: 'wx' });
      return { url: pathToFileURL(path).href, remove: () => rmSync(path, { force: true }) };
    } catch {
      // The next folder may be writable.
    }
  }
  return null;
}

/** Needs no escaping: the address has no character that is special in HTML. */
function pageTo(address: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${address}">
<title>Fleet map</title>
<a href="${address}">Open the fleet map</a>
`;
}

type Spawn = (
  command: string,
  args: readonly string[],
  options: SpawnOptions,
) => { once(event: 'error' | 'spawn', listener: () => void): unknown; unref(): void };

/** Returns false when no program to open a browser was found. */
export async function openBrowser(
  url: string,
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  start?: Spawn,
): Promise<boolean> {
  const spawn = start ?? (await import('node:child_process')).spawn;
  const [command, args] = opener(platform);
  return new Promise((resolve) => {
    // No shell: the address is only ever an argument.
    const child = spawn(command, [...args, url], {
      stdio: 'ignore',
      detached: platform !== 'win32',
      env: childEnv(env),
    });
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
    child.unref();
  });
}

function opener(platform: NodeJS.Platform): readonly [command: string, args: readonly string[]] {
  if (platform === 'darwin') return ['open', []];
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler']];
  return ['xdg-open', []];
}
