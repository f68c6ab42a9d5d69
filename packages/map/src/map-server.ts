// The local server of `fleet map`: page, event stream and data. Loaded only by that command.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ByteRanges } from './archive/byte-ranges.js';
import type { Audience } from './audience.js';
import { type PageAssets, readAssets, servedPage, servedPolicy } from './page-html.js';
import { type ReadName, routeOf } from './request-guard.js';
import type { LiveMessage, LiveSetup, MapProblem } from './shapes.js';

export interface MapServerOptions {
  readonly setup: LiveSetup;
  readonly port: number;
  readonly token: string;
  readonly audience: Audience;
  /** Rejects only with errors that `problemOf` converts. */
  readonly read: (name: ReadName, query: URLSearchParams, signal: AbortSignal) => Promise<unknown>;
  readonly problemOf: (error: unknown) => MapProblem;
  /** The file of `--base-map`; null without it or for a remote address. */
  readonly streets: ByteRanges | null;
  readonly onVisit?: () => void;
  readonly assets?: PageAssets | null;
}

export interface MapServer {
  readonly url: string;
  /** Closes every connection after pending messages have been sent. */
  close(): Promise<void>;
}

/** Larger than any tile or directory. */
const MOST_RANGE_BYTES = 16_000_000;

/** Returns null when the page has not been built. Rejects when the port cannot be used. */
export async function serveMap(options: MapServerOptions): Promise<MapServer | null> {
  const { setup, port, token, audience, read, problemOf } = options;
  const assets = options.assets === undefined ? readAssets() : options.assets;
  if (assets === null) return null;
  const files = {
    page: { type: 'text/html; charset=utf-8', body: servedPage(assets, setup) },
    script: { type: 'text/javascript; charset=utf-8', body: assets.script },
    ground: { type: 'text/javascript; charset=utf-8', body: assets.ground },
    styles: { type: 'text/css; charset=utf-8', body: assets.styles },
    world: { type: 'application/octet-stream', body: assets.world },
  };
  const common = headersOf(setup);
  const streams = new Set<ServerResponse>();

  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    const route = routeOf({ method: request.method ?? '', url: request.url ?? '/', headers: request.headers }, token);
    switch (route.kind) {
      case 'file': {
        const { type, body } = files[route.name];
        if (route.name === 'page') options.onVisit?.();
        return send(response, 200, type, body, common);
      }
      case 'streets':
        return void sendRange(response, options.streets, request.headers.range, common);
      case 'events':
        streams.add(response);
        response.once('close', () => streams.delete(response));
        return stream(response, audience, common);
      case 'read':
        return void answer(response, (signal) => read(route.name, route.query, signal), problemOf, common);
      case 'refused':
        return send(response, route.status, 'text/plain; charset=utf-8', `${route.reason}\n`, common);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/${token}/`,
    close: async () => {
      await Promise.all([...streams].map((one) => new Promise<void>((resolve) => one.end(() => resolve()))));
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function headersOf(setup: LiveSetup): Readonly<Record<string, string>> {
  return {
    'content-security-policy': servedPolicy(setup),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    // Vehicle positions must not enter the browser's cache.
    'cache-control': 'no-store',
  };
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { ...headers, 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** Sends only the requested range: an archive may be larger than the memory. */
async function sendRange(
  response: ServerResponse,
  archive: ByteRanges | null,
  range: string | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const text = 'text/plain; charset=utf-8';
  if (archive === null) return send(response, 404, text, 'There is no such archive.\n', headers);
  const [, first = '', last = ''] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(range ?? '') ?? [];
  const from = first === '' ? archive.size : Number(first);
  const end = Math.min(Number(last) + 1, archive.size);
  if (from >= end || end - from > MOST_RANGE_BYTES) {
    const size = { 'content-range': `bytes */${archive.size}` };
    return send(response, 416, text, 'Ask for a part of the archive: Range: bytes=0-16383.\n', { ...headers, ...size });
  }
  try {
    const bytes = await archive.read(from, end - from);
    if (bytes.length < end - from) throw new Error('the file has become shorter');
    const part = { 'accept-ranges': 'bytes', 'content-range': `bytes ${from}-${end - 1}/${archive.size}` };
    send(response, 206, 'application/octet-stream', bytes, { ...headers, ...part });
  } catch {
    if (!response.destroyed) send(response, 502, text, 'The archive cannot be read any more.\n', headers);
  }
}

async function answer(
  response: ServerResponse,
  read: (signal: AbortSignal) => Promise<unknown>,
  problemOf: (error: unknown) => MapProblem,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  // The page has selected something else, so the request is aborted.
  const left = new AbortController();
  response.once('close', () => left.abort());
  const json = 'application/json; charset=utf-8';
  try {
    send(response, 200, json, JSON.stringify(await read(left.signal)), headers);
  } catch (error) {
    if (!response.destroyed) send(response, 502, json, JSON.stringify(problemOf(error)), headers);
  }
}

/** Skips changes while a page does not keep up, then sends it the complete state. */
function stream(response: ServerResponse, audience: Audience, headers: Readonly<Record<string, string>>): void {
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' });
  // Milliseconds until the page reconnects after a broken connection.
  response.write('retry: 2000\n\n');
  let isBehind = false;
  const write = (message: LiveMessage) => {
    // JSON has no line breaks, which would end the event.
    response.write(`event: ${message.kind}\ndata: ${JSON.stringify(message)}\n\n`);
  };
  const leave = audience.join((message) => {
    if (response.writableNeedDrain && message.kind === 'changes') isBehind = true;
    else write(message);
  });
  response.on('drain', () => {
    if (!isBehind) return;
    isBehind = false;
    for (const message of audience.greeting()) write(message);
  });
  response.once('close', leave);
}
