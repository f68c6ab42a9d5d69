// A registry that serves the packed packages, and forwards all others to the configured registry.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npmCommand } from '../../scripts/npm.mjs';

export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  readonly tarball: Buffer;
  readonly manifest: object;
}

export function readPackage(tarball: string, version?: string): PublishedPackage {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-published-'));
  execFileSync('tar', ['xzf', tarball], { cwd: folder });
  const file = join(folder, 'package/package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  if (version === undefined) return { ...manifest, tarball: readFileSync(tarball), manifest };
  for (const name of Object.keys(manifest.peerDependencies)) {
    if (name.startsWith('fleet-telematics')) manifest.peerDependencies[name] = version;
  }
  const changed = { ...manifest, version };
  writeFileSync(file, JSON.stringify(changed));
  execFileSync('tar', ['czf', 'changed.tgz', 'package'], { cwd: folder });
  return { name: manifest.name, version, tarball: readFileSync(join(folder, 'changed.tgz')), manifest: changed };
}

export interface Registry {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the registry. The last version of a package is the latest. */
export async function startRegistry(packages: readonly PublishedPackage[]): Promise<Registry> {
  const others = execFileSync(...npmCommand('config', 'get', 'registry'), { encoding: 'utf8' }).trim();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const [name = '', file] = path.split('/-/');
    const versions = packages.filter((one) => one.name === name);
    const latest = versions.at(-1);
    if (latest === undefined) {
      response.writeHead(302, { location: new URL(request.url?.slice(1) ?? '', others).href }).end();
      return;
    }
    const requestedVersion = versions.find((one) => file === `${name}-${one.version}.tgz`);
    if (requestedVersion !== undefined) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(requestedVersion.tarball);
      return;
    }
    const documents = versions.map(({ version, tarball, manifest }) => {
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      const shasum = createHash('sha1').update(tarball).digest('hex');
      const dist = { tarball: `${url}${name}/-/${name}-${version}.tgz`, integrity, shasum };
      return [version, { ...manifest, _id: `${name}@${version}`, dist }];
    });
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        _id: name,
        name,
        'dist-tags': { latest: latest.version },
        versions: Object.fromEntries(documents),
        time: Object.fromEntries(versions.map(({ version }) => [version, '2026-01-01T00:00:00.000Z'])),
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It listens on a port, so the address is an object.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    close: () => new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve()))),
  };
}

export function folderWith(folder: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}
