// A page that redirects the browser to the map. Other users can read the browser's arguments, so
// the secret address is in this file, which only its owner can read.
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

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
