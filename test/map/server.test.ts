// The server of the map over real HTTP: who is answered and who is refused, and what the page contains.
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Audience } from '../../src/map/audience.js';
import { mapFile } from '../../src/map/map-file.js';
import { type MapServer, serveMap } from '../../src/map/map-server.js';
import { embeddedJson, tileOrigins } from '../../src/map/page-html.js';
import type { FileSetup, LiveMessage, MapTiles } from '../../src/map/shapes.js';

const html = '<html><!-- head --><script type="application/json">"{{setup}}"</script><!-- script --></html>';
const assets = { html, script: "console.log('$&')", styles: 'body{}' };
const token = 'the-token';

async function serve(tiles: MapTiles | null = null) {
  const greeting: LiveMessage[] = [{ kind: 'fleet', at: 1, vehicles: [] }];
  const audience = new Audience(() => greeting);
  const server = await serveMap({
    setup: { kind: 'live', title: 'Fleet map', zone: 'UTC', tiles },
    port: 0,
    token,
    audience,
    read: async (name, query) => {
      if (name === 'roads') throw new Error('no roads');
      return { name, day: query.get('day') };
    },
    problemOf: (error) => ({ message: String(error), hint: null }),
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

test('a read that fails is told in words', async () => {
  const { server } = await serve();
  const { status, body } = await ask(server, 'roads');
  expect([status, JSON.parse(body)]).toEqual([502, { message: 'Error: no roads', hint: null }]);
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
  let heard = '';
  const hears = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => heard.includes(text) && resolve();
      socket.on('data', look);
      look();
    });
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text;
  });
  socket.write(`GET ${pathname}events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
  await hears('event: fleet\ndata: {"kind":"fleet","at":1,"vehicles":[]}\n\n');
  const problem = { message: 'Session\nended.', hint: null };
  audience.tell({ kind: 'problem', problem, isEnd: true });
  const ended = new Promise((resolve) => socket.once('end', resolve));
  await server.close();
  await ended;
  expect(heard).toContain(
    'event: problem\ndata: {"kind":"problem","problem":{"message":"Session\\nended.","hint":null},"isEnd":true}\n\n',
  );
});

test('tiles: their servers are the only others of the policy', async () => {
  const template = 'https://{s}.tiles.example/{z}/{x}/{y}.png';
  const { server } = await serve({ template, attribution: 'Example' });
  const policy = String((await ask(server, '')).headers['content-security-policy']);
  expect(policy).toContain(
    "img-src 'self' data: https://a.tiles.example https://b.tiles.example https://c.tiles.example; base-uri",
  );
  expect(tileOrigins('https://tiles.example:8443/{z}/{x}/{y}.png')).toEqual(['https://tiles.example:8443']);
});

test('a file is complete in itself; names cannot end the element they stand in', () => {
  const name = '</script><script>alert(1)</script><!--';
  const vehicle = { id: 'v', name, plate: null, status: 'stopped', at: 1, latitude: 1, longitude: 1 } as const;
  const setup: FileSetup = {
    ...{
      kind: 'file',
      title: 'Fleet map',
      zone: 'UTC',
      tiles: null,
      from: 1,
      to: 2,
      writtenAt: 3,
      dates: [],
      days: [],
      geofences: [],
    },
    vehicles: [{ ...vehicle, speed: null, heading: null, driver: null }],
  };
  const file = mapFile(setup, assets) ?? '';
  expect(file.split('</script>')).toHaveLength(3);
  expect(file).not.toContain('<!--');
  expect(file).toMatch(/script-src 'sha256-[\w+/]+=*'; style-src 'sha256-[\w+/]+=*'; img-src data:/);
  expect(file).toContain(`<script>${assets.script}</script>`);
  const data = /application\/json">(.*?)<\/script>/.exec(file)?.[1] ?? '';
  expect(JSON.parse(data)).toEqual(setup);
  expect(embeddedJson(name)).not.toContain('<');
});

test('the hashes of a file are those of its text as browsers read it, whatever ends its lines', () => {
  const setup = { tiles: null } as FileSetup;
  const windows = { ...assets, script: 'a;\r\nb;\r', styles: 'a{}\r\nb{}' };
  const unix = { ...assets, script: 'a;\nb;\n', styles: 'a{}\nb{}' };
  expect(mapFile(setup, windows)).toBe(mapFile(setup, unix));
});

test('without the built files there is no page', async () => {
  expect(mapFile({} as FileSetup, null)).toBe(null);
});
