// Whole requests: method, path, headers and body, each valid or invalid.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import {
  corruptText,
  hostileDocument,
  hostileVariables,
  knownOperation,
  type Operation,
  schemaDocument,
} from './documents.js';
import type { Random } from './random.js';
import { characters, json, record, text, time, unusualText, type World } from './values.js';

export interface Attempt {
  readonly kind: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | null;
}

type Headers = [name: string, value: string][];

const usual = (world: World): Headers => [
  ['authorization', `Bearer ${world.token}`],
  ['userid', world.userId],
  ['content-type', 'application/json'],
];

function graphql(kind: string, world: World, operation: Operation): Attempt {
  return { kind, method: 'POST', path: '/graphql', headers: usual(world), body: JSON.stringify(operation) };
}

const encoder = new TextEncoder();

function unusualBody(random: Random, world: World): Attempt {
  const sound = JSON.stringify(knownOperation(random, world, 0));
  const headers = usual(world);
  const body = random.pick<() => string | Uint8Array | null>([
    () => null,
    () => '',
    () => corruptText(sound, random),
    () => corruptText(sound, random),
    () => JSON.stringify(json(random, world)),
    () => `[${sound},${sound}]`,
    () => '['.repeat(random.size(200_000)),
    () => '{"query":'.repeat(random.size(20_000)),
    () => `{"query":"{ getUserInfo { userId } }","query":${JSON.stringify(unusualText(random))}}`,
    () => `{"__proto__":{"query":"{ getUserInfo { userId } }"}}`,
    () => `{"query":"{ getUserInfo { userId } }","variables":${JSON.stringify(json(random, world))}}`,
    () => `{"query":"{ getUserInfo { userId } }","extensions":${JSON.stringify(json(random, world))}}`,
    () => `{"query":"{ getUserInfo { userId } }","operationName":${JSON.stringify(json(random, world))}}`,
    () => `\ufeff${sound}`,
    () => Buffer.from(sound, 'utf16le'),
    () => Uint8Array.from({ length: random.size(5000) }, () => random.below(256)),
    () => gzipped(random, sound, headers),
    () => `query=${encodeURIComponent('{ getUserInfo { userId } }')}`,
    () => sound + ' '.repeat(random.size(random.chance(0.02) ? 9_000_000 : 50_000)),
  ])();
  return { kind: 'body', method: 'POST', path: '/graphql', headers, body };
}

function gzipped(random: Random, sound: string, headers: Headers): Uint8Array {
  const [name, packed] = random.pick([
    ['gzip', gzipSync(sound)],
    ['deflate', deflateSync(sound)],
    ['br', brotliCompressSync(sound)],
    ['gzip', encoder.encode(sound)],
  ] as const);
  headers.push(['content-encoding', name]);
  return packed;
}

// biome-ignore format: a list of media types reads best in rows
const contentTypes = ['application/json', 'application/json; charset=utf-8', 'application/json;charset=UTF-16', 'APPLICATION/JSON', 'application/graphql', 'text/plain', 'application/json; charset="', 'application/json;;;;', 'multipart/form-data', 'multipart/form-data; boundary=', 'application/x-www-form-urlencoded', '*/*', ';', 'application/json, application/json', `${'a'.repeat(5000)}/b`] as const;
// biome-ignore format: as above
const accepts = ['*/*', 'application/json', 'application/graphql-response+json', 'text/html', 'application/json;q=0', 'application/json;q=x', ',,,', ';q=1', 'application/graphql-response+json;q=1e999,application/json;q=-1', 'a/b;q=0.5,'.repeat(500)] as const;
// biome-ignore format: as above
const encodings = ['gzip', 'br', 'gzip, br, deflate, zstd', 'identity;q=0', '*;q=0', 'gzip;q=', 'br;q=0.0001, gzip;q=1.0', ',', 'gzip;q=1;q=0', '*'] as const;
const methods = ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'POST', 'QUERY', 'X'] as const;

function headerValue(random: Random): string {
  const made = random.chance(0.5) ? unusualText(random) : characters(random, random.size(3000));
  return made
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
    .slice(0, 8000)
    .trim();
}

function unusualHeaders(random: Random, world: World): Attempt {
  const headers = usual(world);
  const bearer = world.token;
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    const [name, value] = random.pick<() => [string, string]>([
      () => ['content-type', random.pick(contentTypes)],
      () => ['accept', random.pick(accepts)],
      () => ['accept-encoding', random.pick(encodings)],
      () => ['authorization', random.pick([`bearer ${bearer}`, `Bearer  ${bearer} `, `Bearer ${bearer}x`, 'Bearer', 'Basic ZGVtbzpkZW1v', bearer, `Bearer ${headerValue(random)}`, `Bearer ${bearer}, Bearer ${bearer}`])],
      () => ['userid', random.pick([world.userId.toUpperCase(), `${world.userId},${world.userId}`, random.pick(world.ids), headerValue(random), ''])],
      () => ['fleetid', random.pick([world.fleetId, random.pick(world.ids), headerValue(random), ''])],
      () => ['content-encoding', random.pick(['gzip', 'br', 'identity', headerValue(random)])],
      () => [random.pick(['cookie', 'origin', 'x-http-method-override', 'if-none-match', 'range', 'x-forwarded-for', '__proto__', 'constructor']), headerValue(random)],
    ])(); // biome-ignore format: one header a line
    const at = headers.findIndex(([headerName]) => headerName === name);
    if (at < 0 || random.chance(0.3)) headers.push([name, value]);
    else if (random.chance(0.15)) headers.splice(at, 1);
    else headers[at] = [name, value];
  }
  const body = JSON.stringify(knownOperation(random, world, 0));
  return { kind: 'headers', method: 'POST', path: '/graphql', headers, body };
}

// biome-ignore format: a list of paths reads best in rows
const paths = ['/', '', '/graphql/', '//graphql', '/api/v1/graphql', '/graphql%00', '/graphql?query={getUserInfo{userId}}', '/GRAPHQL', '/login', '/login/token', '/login/refresh', '/login/userinfo', '/graphiql', '/graphiql?path=/graphql', '/graphiql?path="><script>', '/graphiql/../../package.json', '/graphiql/%2e%2e/%2e%2e/package.json', '/graphiql/react.js', '/__mock/', '/__mock/health', '/__mock/constructor', '/__mock/__mock/health', '/%', '/%ff', '/..%2f', '/a'.repeat(3000)] as const;

function unusualPath(random: Random, world: World): Attempt {
  const method = random.pick(methods);
  const bodiless = method === 'GET' || method === 'HEAD';
  const body = bodiless || random.chance(0.3) ? null : JSON.stringify(knownOperation(random, world, 0));
  return { kind: 'path', method, path: random.pick(paths), headers: usual(world), body };
}

// biome-ignore format: as above
const boundaries = ['x', '----WebKitFormBoundaryA', '"quo ted"', '', '.*', '(', '[a-', '$', '\\', 'b'.repeat(71), "'()+_,-./:=?"] as const;

function loginForm(random: Random, world: World): Attempt {
  const path = random.pick(['/login/token', '/login/token', '/login/refresh', '/login/userinfo']);
  const fields: [string, string][] = random.pick<[string, string][]>([
    [['username', 'demo'], ['password', 'demo']],
    [['refreshToken', world.refreshToken]],
    [['username', unusualText(random)], ['password', text(random, world)]],
    [['refreshToken', text(random, world)]],
    Array.from({ length: random.size(300) }, () => [unusualText(random), text(random, world)]),
    [['username', 'demo'], ['username', unusualText(random)], ['password', 'demo']],
    [['__proto__', 'demo'], ['constructor', 'demo']],
  ]); // biome-ignore format: one form a line
  const headers: Headers = random.chance(0.2) ? [['authorization', `Bearer ${world.token}`]] : [];
  if (random.chance(0.3)) {
    const encoded = new URLSearchParams(
      fields.map(([name, value]): [string, string] => [name, Buffer.from(value).toString()]),
    ).toString();
    headers.push(['content-type', 'application/x-www-form-urlencoded']);
    const body = random.chance(0.5) ? encoded : `${corruptText(encoded, random)}%`;
    return { kind: 'form', method: 'POST', path, headers, body };
  }
  const boundary = random.pick(boundaries);
  const bare = boundary.replaceAll('"', '');
  const parts = fields.map(([name, value]) => {
    const head = random.pick([
      `Content-Disposition: form-data; name="${name}"`,
      `content-disposition:form-data;name=${name}`,
      `Content-Type: text/plain\r\nContent-Disposition: form-data; filename="a\\"b"; name="${name}"`,
      `Content-Disposition: attachment; name="${name}"`,
      '',
    ]);
    return `--${bare}\r\n${head}\r\n\r\n${value}\r\n`;
  });
  const sound = `${parts.join('')}--${bare}--\r\n`;
  const type = random.chance(0.9) ? `multipart/form-data; boundary=${boundary}` : random.pick(contentTypes);
  headers.push(['content-type', type]);
  const body = random.weighted<() => string | Uint8Array>([
    [4, () => sound],
    [3, () => corruptText(sound, random)],
    [1, () => `--${bare}\r\n`.repeat(random.size(5000))],
    [1, () => sound.replaceAll('\r\n', '\n')],
    [1, () => Buffer.concat([Buffer.from(sound), Uint8Array.from({ length: random.size(2000) }, () => random.below(256))])],
    [1, () => `--${bare}\r\nContent-Disposition: form-data; ${'name="'.repeat(random.size(20_000))}\r\n\r\n\r\n--${bare}--`],
    [1, () => `--${bare}\r\nContent-Disposition: form-data; name="${'\\'.repeat(random.size(60_000))}\r\n\r\n\r\n--${bare}--`],
  ])(); // biome-ignore format: one kind of form a line
  return { kind: 'form', method: random.chance(0.95) ? 'POST' : random.pick(methods), path, headers, body };
}

export function anyAttempt(random: Random, world: World): Attempt {
  return random.weighted<() => Attempt>([
    [16, () => graphql('operation', world, knownOperation(random, world, 0.05))],
    [16, () => graphql('document', world, schemaDocument(random, world))],
    [18, () => mutated(random, world)],
    [8, () => graphql('hostile document', world, hostileDocument(random, world))],
    [10, () => graphql('variables', world, hostileVariables(random, world))],
    [9, () => unusualBody(random, world)],
    [9, () => unusualHeaders(random, world)],
    [10, () => loginForm(random, world)],
    [4, () => unusualPath(random, world)],
  ])();
}

function mutated(random: Random, world: World): Attempt {
  const sound = random.chance(0.5) ? knownOperation(random, world, 0) : schemaDocument(random, world);
  return graphql('injured document', world, { ...sound, query: corruptText(sound.query, random) });
}

const controls = [
  ['POST', 'clock'], ['POST', 'faults'], ['PUT', 'snapshot'], ['GET', 'snapshot'], ['POST', 'reset'],
  ['GET', 'requests'], ['DELETE', 'faults'], ['DELETE', 'requests'], ['GET', 'health'],
] as const; // biome-ignore format: a list of controls reads best in rows

/** Returns a request to `/__mock/`, which plans faults, moves the clock and restores records. */
export function controlAttempt(random: Random, world: World, snapshot: string): Attempt {
  const [method, name] = random.pick(controls);
  const value = (): unknown =>
    random.weighted<() => unknown>([
      [3, () => json(random, world)],
      [3, () => time(random, world)],
      // Up to the last time of a Date, and past it.
      [4, () => Math.round((random.next() - 0.5) * random.pick([1e4, 1e12, 1e15, 1.8e16]))],
      [1, () => random.chance(0.5)],
    ])();
  const body = random.weighted<() => string>([
    [name === 'clock' ? 12 : 1, () => JSON.stringify({ [random.pick(['advance', 'set', 'freeze', 'x'])]: value() })],
    [name === 'faults' ? 12 : 1, () => JSON.stringify({ kind: random.pick(['status', 'delay', 'reset', 'truncate', 'malformed', 'html', 'graphqlError', 'x']), [random.pick(['times', 'status', 'ms', 'operation', 'path', 'retryAfter'])]: value() })],
    [name === 'snapshot' ? 12 : 1, () => alteredSnapshot(random, world, snapshot)],
    [1, () => JSON.stringify(record(random, world))],
    [1, () => corruptText('{"advance": 1000}', random)],
  ])(); // biome-ignore format: one kind of body a line
  const plain = method === 'GET' || method === 'DELETE' || name === 'reset';
  return { kind: `control ${name}`, method, path: `/__mock/${name}`, headers: [], body: plain ? null : body };
}

/** Returns a snapshot with some values replaced, removed or duplicated. */
function alteredSnapshot(random: Random, world: World, snapshot: string): string {
  const whole: unknown = JSON.parse(snapshot);
  for (let left = 1 + random.below(3); left > 0; left -= 1) alter(whole, random, world);
  return JSON.stringify(whole);
}

function alter(value: unknown, random: Random, world: World): void {
  if (typeof value !== 'object' || value === null) return;
  const keys = Object.keys(value);
  if (keys.length === 0) return;
  const key = random.pick(keys);
  const inner: unknown = Reflect.get(value, key);
  if (typeof inner === 'object' && inner !== null && random.chance(0.85)) {
    alter(inner, random, world);
    return;
  }
  random.pick([
    () => Reflect.deleteProperty(value, key),
    () => Reflect.set(value, key, json(random, world)),
    () => Reflect.set(value, key, random.pick(world.ids)),
    () => Array.isArray(value) && value.push(inner),
  ])();
}
