// A page that leads a browser to the map. The browser is started with this file in place of the address, because the users of a machine
// can see each other's arguments, and the address holds the secret; only its owner can read the file.
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface OpeningFile {
  /** `file:///…` */
  readonly url: string;
  remove(): void;
}

/** Null when it can be written nowhere. */
export function openingFile(address: string, env: Readonly<Record<string, string | undefined>>): OpeningFile | null {
  const name = `fleet-map-${randomBytes(8).toString('hex')}.html`;
  // Browsers in a sandbox, such as those of snap, see the home folder without its hidden parts, and a /tmp of their own.
  for (const folder of [env.HOME || env.USERPROFILE || homedir(), tmpdir()]) {
    const path = join(folder, name);
    try {
      writeFileSync(path, pageTo(address), { mode: 0o600, flag: 'wx' });
      return { url: pathToFileURL(path).href, remove: () => rmSync(path, { force: true }) };
    } catch {
      // The folder is missing or may not be written to.
    }
  }
  return null;
}

/** The address has no character that would mean something else in HTML. */
function pageTo(address: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${address}">
<title>Fleet map</title>
<a href="${address}">Open the fleet map</a>
`;
}
