// The map server over HTTP: accepted and refused requests, and the content of the page.
import { request } from 'node:http';
import { connect } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ByteRanges, rangesOfBytes } from '../src/archive/byte-ranges.js';
import { readArchive } from '../src/archive/read-archive.js';
import { Audience } from '../src/audience.js';
import { mapFile } from '../src/map-file.js';
import { type MapServer, serveMap } from '../src/map-server.js';
import { unpackFile } from '../src/page/packed-file.js';
import { embeddedJson, tileOrigins } from '../src/page-html.js';
import type { FileSetup, LiveMessage, MapProblem, MapStreets, MapTiles } from '../src/shapes.js';
import { streetArchive } from './vector-tiles.js';

const html = '<html><!-- head --><script type="application/json">"{{setup}}"</script><!-- script --></html>';
const world = await streetArchive([0, 1], null);
const assets = { html, script: "console.log('$&')", ground: 'ground()', styles: 'body{}', world };
const token = 'the-token';

interface Grounds {
  readonly tiles?: MapTiles;
  readonly streets?: MapStreets;
  readonly file?: ByteRanges;
}

async function serve({ tiles, streets, file }: Grounds = {}) {
  const greeting: LiveMessage[] = [{ kind: 'fleet', at: 1, ageMs: 0, vehicles: [] }];
  const audience = new Audience(() => greeting);
  const server = await serveMap({
    setup: {
      kind: 'live',
      title: 'Fleet map',
      zone: 'UTC',
      tiles: tiles ?? null,
      streets: streets ?? null,
      everyMs: 10_000,
    },
    streets: file ?? null,
    port: 0,
    token,
    audience,
    read: async (name, query) => {
      if (name === 'roads') throw new Error('no roads');
      return { name, day: query.get('day') };
    },
    problemOf: (error) => ({ kind: null, values: {}, details: [], message: String(error), hint: null }),
    assets,
  });
  if (server === null) throw new Error('assets were given');
  onTestFinished(() => server.close());
  return { server, audience };
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

function ask({ url }: MapServer, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on('error', reject).end();
  });
}

test('serves the page, its files and its data below the token', async () => {
  const { server } = await serve();
  expect(new URL(server.url)).toMatchObject({ hostname: '127.0.0.1', pathname: `/${token}/` });
  const page = await ask(server, '');
  expect(page.status).toBe(200);
  expect(page.body).toContain('"kind":"live"');
  expect(page.headers).toMatchObject({
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  expect((await ask(server, 'map.js')).body).toBe(assets.script);
  expect((await ask(server, 'map.css')).headers['content-type']).toBe('text/css; charset=utf-8');
  expect(JSON.parse((await ask(server, 'day?vehicle=v&day=2026-03-01')).body)).toEqual({
    name: 'day',
    day: '2026-03-01',
  });
});

test('reports a failed read in words', async () => {
  const { server } = await serve();
  const { status, body } = await ask(server, 'roads');
  expect([status, JSON.parse(body)]).toEqual([
    502,
    { kind: null, values: {}, details: [], message: 'Error: no roads', hint: null },
  ]);
});

test.each([
  ['another token', '/the-tokem/day', {}, 404],
  ['no token', '/day', {}, 404],
  ['no slash after the token', `/${token}`, {}, 404],
  ['another path', `/${token}/../../etc/passwd`, {}, 404],
  ['a path of two parts', `/${token}/events/x`, {}, 404],
  ['a name that every object has', `/${token}/constructor`, {}, 404],
  ['a host name of another site', `/${token}/`, { host: 'evil.example' }, 403],
  ['a host name that begins like this machine', `/${token}/`, { host: '127.0.0.1.evil.example' }, 403],
  ['another site', `/${token}/day`, { origin: 'https://evil.example' }, 403],
  ['another port of this machine', `/${token}/day`, { origin: 'http://127.0.0.1:1' }, 403],
  ['a sandboxed page', `/${token}/day`, { origin: 'null' }, 403],
  ['a script of another site', `/${token}/map.js`, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'script' }, 403],
  ['a frame in another site', `/${token}/`, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' }, 403],
  ['a link in another site', `/${token}/`, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }, 200],
  ['a tunnel', `/${token}/`, { host: 'localhost:8080' }, 200],
])('%s: %s', async (_, path, headers, status) => {
  const { server } = await serve();
  expect((await ask(server, path, headers)).status).toBe(status);
});

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])('%s is refused', async (method) => {
  const { server } = await serve();
  expect((await ask(server, '', {}, method)).status).toBe(405);
});

test('the stream greets, tells, and is complete when the server closes', async () => {
  const { server, audience } = await serve();
  const { port, pathname } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1');
  let receivedText = '';
  const hears = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => receivedText.includes(text) && resolve();
      socket.on('data', look);
      look();
    });
  socket.setEncoding('utf8').on('data', (text: string) => {
    receivedText += text;
  });
  socket.write(`GET ${pathname}events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
  await hears('event: fleet\ndata: {"kind":"fleet","at":1,"ageMs":0,"vehicles":[]}\n\n');
  const problem: MapProblem = { kind: 'signedOut', values: {}, details: [], message: 'Session\nended.', hint: null };
  audience.send({ kind: 'problem', problem, isOutage: true, waitMs: null, isEnd: true });
  const ended = new Promise((resolve) => socket.once('end', resolve));
  await server.close();
  await ended;
  expect(receivedText).toContain(
    'event: problem\ndata: {"kind":"problem","problem":{"kind":"signedOut","values":{},"details":[],"message":"Session\\nended.","hint":null},"isOutage":true,"waitMs":null,"isEnd":true}\n\n',
  );
});

test('tiles: their servers are the only others of the policy', async () => {
  const template = 'https://{s}.tiles.example/{z}/{x}/{y}.png';
  const { server } = await serve({ tiles: { template, attribution: 'Example' } });
  const policy = String((await ask(server, '')).headers['content-security-policy']);
  expect(policy).toContain(
    "img-src 'self' data: https://a.tiles.example https://b.tiles.example https://c.tiles.example; base-uri",
  );
  expect(tileOrigins('https://tiles.example:8443/{z}/{x}/{y}.png')).toEqual(['https://tiles.example:8443']);
});

describe('the ground', () => {
  test('the world is served at once', async () => {
    const { server } = await serve();
    const { status, headers } = await ask(server, 'world.pmtiles');
    expect([status, headers['content-length'], headers['content-type']]).toEqual([
      200,
      String(world.length),
      'application/octet-stream',
    ]);
    expect((await ask(server, 'ground.js')).body).toBe(assets.ground);
    expect((await ask(server, 'streets.pmtiles', { range: 'bytes=0-6' })).status).toBe(404);
  });

  test('of the file of streets only ranges are served, and no other file', async () => {
    const { server } = await serve({ streets: { url: null }, file: rangesOfBytes(world) });
    const range = (value: string) => ask(server, 'streets.pmtiles', { range: value });
    const { status, headers, body } = await range('bytes=0-6');
    expect([status, headers['content-range'], body]).toEqual([206, `bytes 0-6/${world.length}`, 'PMTiles']);
    expect((await range(`bytes=${world.length - 2}-${world.length + 50}`)).headers['content-length']).toBe('2');
    for (const bad of [
      'bytes=0-',
      'bytes=-5',
      'bytes=5-4',
      'bytes=0-1,3-4',
      `bytes=${world.length}-`,
      'bytes=0-99999999',
      '',
    ]) {
      const answer = await range(bad);
      // The end of the file limits the range.
      expect([bad, answer.status]).toEqual([bad, bad === 'bytes=0-99999999' ? 206 : 416]);
    }
    expect((await ask(server, 'streets.pmtiles?file=/etc/passwd', { range: 'bytes=0-6' })).body).toBe('PMTiles');
    expect((await ask(server, 'other.pmtiles', { range: 'bytes=0-6' })).status).toBe(404);
  });

  test('reports a file that has become shorter', async () => {
    const short = { ...rangesOfBytes(world), size: world.length + 100 };
    const { server } = await serve({ streets: { url: null }, file: short });
    expect((await ask(server, 'streets.pmtiles', { range: `bytes=0-${world.length + 9}` })).status).toBe(502);
  });

  test('the host of streets is the only other one that the page may ask', async () => {
    const url = 'https://tiles.example.com:8443/region.pmtiles';
    const { server } = await serve({ streets: { url } });
    const policy = String((await ask(server, '')).headers['content-security-policy']);
    expect(policy).toContain("connect-src 'self' https://tiles.example.com:8443; img-src 'self' data:;");
  });

  test('a file of the map holds the streets around its vehicles', async () => {
    const setup = {
      ...{ kind: 'file', tiles: null, streets: { url: null }, days: [] },
      vehicles: [{ latitude: 59.44, longitude: 24.75 }],
    } as unknown as FileSetup; // required members
    const streets = rangesOfBytes(await streetArchive([0, 1, 2, 3, 4, 5], null));
    const file = (await mapFile(setup, streets, assets)) ?? '';
    const [, base64 = ''] = /id="streets">([^<]+)</.exec(file) ?? [];
    const part = readArchive(rangesOfBytes(Buffer.from(base64, 'base64')));
    expect([await part.getZxy(5, 18, 9), await part.getZxy(5, 0, 0)].map((tile) => tile !== undefined)).toEqual([
      true,
      false,
    ]);
    expect(file).not.toContain('connect-src');
  });
});

test('a file is complete in itself; names cannot end the element they stand in', async () => {
  const name = '</script><script>alert(1)</script><!--';
  const vehicle = { id: 'v', name, plate: null, status: 'stopped', at: 1, latitude: 1, longitude: 1 } as const;
  const setup: FileSetup = {
    ...{
      kind: 'file',
      title: 'Fleet map',
      zone: 'UTC',
      tiles: null,
      streets: null,
      from: 1,
      to: 2,
      writtenAt: 3,
      dates: [],
      days: [],
      geofences: [],
    },
    vehicles: [{ ...vehicle, speed: null, heading: null, driver: null, place: null }],
  };
  const file = (await mapFile(setup, null, assets)) ?? '';
  // The data, the world and two scripts.
  expect(file.split('</script>')).toHaveLength(5);
  expect(file).not.toContain('<!--');
  expect(file).toMatch(/script-src 'sha256-[\w+/]+=*' 'sha256-[\w+/]+=*'; style-src 'sha256-[\w+/]+=*'; img-src data:/);
  expect(file).toContain(`<script>${assets.script}</script>`);
  const packed = /application\/json">"([\w+/=]+)"<\/script>/.exec(file)?.[1] ?? '';
  expect(unpackFile(inflateRawSync(Buffer.from(packed, 'base64')))).toEqual(setup);
  expect(embeddedJson(name)).not.toContain('<');
});

test('the hashes of a file are those of its text as browsers read it, whatever ends its lines', async () => {
  // required members
  const setup = { tiles: null, streets: null, days: [], vehicles: [] } as unknown as FileSetup;
  const windows = { ...assets, script: 'a;\r\nb;\r', styles: 'a{}\r\nb{}' };
  const unix = { ...assets, script: 'a;\nb;\n', styles: 'a{}\nb{}' };
  expect(await mapFile(setup, null, windows)).toBe(await mapFile(setup, null, unix));
});

test('without the built files there is no page', async () => {
  expect(await mapFile({} as FileSetup, null, null)).toBe(null);
});
