// Serves GraphiQL: the page at /graphiql?path=/graphql and its files at /graphiql/assets/<name>.
// The build puts GraphiQL and React next to this module, so the page works offline and its
// Content-Security-Policy allows no other origin.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { htmlResponse, type ServiceRequest, type ServiceResponse } from '../core/messages.js';

/**
 * A file's URL, valid from here, dist/cli/bundle and dist/commonjs/mock. A function, because
 * bundlers can remove import.meta.url, and then only the page is lost.
 */
const locate = (file: string) => new URL(`../../mock/graphiql/${file}`, import.meta.url);

const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

interface AssetFile {
  readonly file: string;
  readonly type: string;
}

/** The only served files. Other names never reach the file system. */
const assets: Readonly<Record<string, AssetFile>> = {
  'graphiql.js': { file: 'assets/graphiql.js.br', type: javascript },
  'graphiql.css': { file: 'assets/graphiql.css.br', type: css },
  'operations.json': { file: 'assets/operations.json.br', type: 'application/json; charset=utf-8' },
  'page.css': { file: 'assets/page.css', type: css },
  'licenses.txt': { file: 'assets/licenses.txt', type: 'text/plain; charset=utf-8' },
  'main.js': { file: 'browser/main.js', type: javascript },
  'endpoint-path.js': { file: 'browser/endpoint-path.js', type: javascript },
  'curl.js': { file: 'browser/curl.js', type: javascript },
  'dom.js': { file: 'browser/dom.js', type: javascript },
  'examples.js': { file: 'browser/examples.js', type: javascript },
  'fetcher.js': { file: 'browser/fetcher.js', type: javascript },
  'session.js': { file: 'browser/session.js', type: javascript },
};

/**
 * 'unsafe-inline' is for GraphiQL's <style> elements. form-action keeps passwords out of the URL
 * while the script is still loading.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const common = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // The browser revalidates each time, because another build may run at the same address.
  'cache-control': 'no-cache',
};

const plain = { ...common, 'content-type': 'text/plain; charset=utf-8' };

interface Asset {
  readonly body: string;
  readonly etag: string;
}

const loaded = new Map<string, Asset>();

/** Returns null for a missing file: the service runs from its sources or in another bundle. */
function load(file: string): Asset | null {
  const cached = loaded.get(file);
  if (cached) return cached;
  try {
    const body = read(locate(file));
    const asset = { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
    loaded.set(file, asset);
    return asset;
  } catch {
    return null;
  }
}

/** Decompresses if needed. Loading zlib lazily makes the service start faster. */
function read(location: URL): string {
  const bytes = readFileSync(location);
  const isPacked = location.pathname.endsWith('.br');
  return (isPacked ? process.getBuiltinModule('node:zlib').brotliDecompressSync(bytes) : bytes).toString('utf8');
}

const notBuilt: ServiceResponse = {
  status: 503,
  headers: plain,
  body: 'GraphiQL is not available: its files are not beside this service, which runs from its sources or in a bundle of your own. `npm run build` writes them to dist/; in a program, leave fleet-telematics out of the bundle.\n',
};

export function graphiqlPage(): ServiceResponse {
  const found = load('assets/page.html');
  return found ? htmlResponse(200, found.body, common) : notBuilt;
}

/** Returns a page file, also below a base URL's prefix; null for other requests. */
export function graphiqlAsset({ method, path, headers }: ServiceRequest): ServiceResponse | null {
  const name = /\/graphiql\/assets\/([\w.-]+)$/.exec(path)?.[1];
  if (method !== 'GET' || name === undefined || !Object.hasOwn(assets, name)) return null;
  const asset = assets[name];
  return asset ? serve(asset, headers['if-none-match']) : null;
}

function serve({ file, type }: AssetFile, ifNoneMatch: string | undefined): ServiceResponse {
  const found = load(file);
  if (!found) return notBuilt;
  const headers = { ...common, 'content-type': type, etag: found.etag };
  const same = ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === found.etag);
  return same ? { status: 304, headers, body: '' } : { status: 200, headers, body: found.body };
}
