// `fleet map --open` as a process: the browser's arguments, which other users of the machine can
// read.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../../test/until.js';

const script = fileURLToPath(new URL('../../../../bin/fleet.js', import.meta.url));

// xdg-open exists only on Linux and similar systems.
describe.runIf(process.platform === 'linux')('the browser', () => {
  let home: string;
  let child: ChildProcess | undefined;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'fleet-home-'));
    writeFileSync(
      join(home, 'xdg-open'),
      '#!/bin/sh\n(echo "$@"; env) > "$HOME/started.part"; mv "$HOME/started.part" "$HOME/started"\n',
    );
    chmodSync(join(home, 'xdg-open'), 0o755);
  });
  afterEach(async () => {
    if (child?.exitCode === null && child.signalCode === null) {
      child.kill('SIGINT');
      await once(child, 'exit');
    }
    rmSync(home, { recursive: true, force: true });
  });

  const pages = () => readdirSync(home).filter((name) => name.endsWith('.html'));

  /** Returns the printed address and the browser's arguments. */
  async function opened() {
    const env = {
      HOME: home,
      PATH: `${home}:${process.env.PATH}`,
      FLEET_PASSWORD: 'secret',
      FLEET_REDIS_KEY: 'secret',
    };
    child = spawn(process.execPath, [script, 'map', '--open', '--demo'], { env });
    const [address] = await once(createInterface({ input: child.stdout ?? process.stdin }), 'line');
    // Printed when the browser has been started.
    for await (const chunk of child.stderr ?? []) if (String(chunk).includes('open the address yourself')) break;
    await until(() => existsSync(join(home, 'started')));
    const [argument = '', ...environment] = readFileSync(join(home, 'started'), 'utf8').trimEnd().split('\n');
    return { address: String(address), argument, environment: environment.join('\n') };
  }

  test('gets a file that only its user can read, and no address and no credentials', async () => {
    const { address, argument, environment } = await opened();
    expect(argument).toMatch(/^file:\/\/\/.*\/fleet-map-[0-9a-f]{16}\.html$/);
    expect(argument + environment).not.toMatch(/http|secret/);
    const file = fileURLToPath(argument);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const target = /url=([^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
    expect(target).toBe(address);
    // The headers of a browser that comes from a file.
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
    expect((await fetch(target, { headers })).status).toBe(200);
    expect(pages()).toEqual([]);
  });

  test('that never comes leaves no file behind', async () => {
    await opened();
    expect(pages()).toHaveLength(1);
    child?.kill('SIGINT');
    expect((await once(child ?? process, 'exit'))[0]).toBe(0);
    expect(pages()).toEqual([]);
  });
});
