// The interactive IDE: the page at /graphiql?path=/graphql and its files at /graphiql/assets/<name>. Everything comes from
// this service: the build puts GraphiQL and React beside this module, so the page works without internet, and its
// Content-Security-Policy allows nothing else.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, type ServiceRequest, type ServiceResponse } from '../core/messages.js';

// Leads to dist/mock/graphiql both from this module's own place there and from the bundle in dist/cli/bundle.
const folder = new URL('../../mock/graphiql/', import.meta.url);

const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

interface AssetFile {
  readonly file: string;
  readonly type: string;
}

/** What may be asked for, and nothing else: a name that is not here never reaches the file system. */
const assets: Readonly<Record<string, AssetFile>> = {
  'graphiql.js': { file: 'assets/graphiql.js', type: javascript },
  'graphiql.css': { file: 'assets/graphiql.css', type: css },
  'page.css': { file: 'assets/page.css', type: css },
  'licenses.txt': { file: 'assets/licenses.txt', type: 'text/plain; charset=utf-8' },
  'main.js': { file: 'browser/main.js', type: javascript },
  'endpoint-path.js': { file: 'browser/endpoint-path.js', type: javascript },
  'dom.js': { file: 'browser/dom.js', type: javascript },
  'fetcher.js': { file: 'browser/fetcher.js', type: javascript },
  'session.js': { file: 'browser/session.js', type: javascript },
};

/**
 * 'unsafe-inline' for styles only: GraphiQL's dialogs and menus add a <style> element of their own. No form may be sent by
 * the browser itself, so that a password never lands in an address while the script is still loading.
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
  // Kept by the browser but asked for again each time: another build may answer at the same address.
  'cache-control': 'no-cache',
};

const plain = { ...common, 'content-type': 'text/plain; charset=utf-8' };

interface Asset {
  readonly body: string;
  readonly etag: string;
}

const loaded = new Map<string, Asset>();

/** Null when the file is not there: the service runs from its sources. */
function load(file: string): Asset | null {
  const known = loaded.get(file);
  if (known) return known;
  try {
    const body = readFileSync(new URL(file, folder), 'utf8');
    const asset = { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
    loaded.set(file, asset);
    return asset;
  } catch {
    return null;
  }
}

const notBuilt: ServiceResponse = {
  status: 503,
  headers: plain,
  body: 'GraphiQL is not here: its files are made by `npm run build` and stand beside the built service in dist/.\n',
};

/** The answer to a GET of the IDE's page. It is the same whatever `path` is asked for: the page's script reads that itself. */
export function graphiqlPage(): ServiceResponse {
  const found = load('assets/page.html');
  return found ? html(200, found.body, common) : notBuilt;
}

/** The answer to a GET of one of the page's files; null when the path is none. It may carry the prefix of a base URL. */
export function graphiqlAsset({ method, path, headers }: ServiceRequest): ServiceResponse | null {
  const name = /\/graphiql\/assets\/([\w.-]+)$/.exec(path)?.[1];
  if (method !== 'GET' || name === undefined || !Object.hasOwn(assets, name)) return null;
  const wanted = assets[name];
  return wanted ? serve(wanted, headers['if-none-match']) : null;
}

function serve({ file, type }: AssetFile, ifNoneMatch: string | undefined): ServiceResponse {
  const found = load(file);
  if (!found) return notBuilt;
  const headers = { ...common, 'content-type': type, etag: found.etag };
  const same = ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === found.etag);
  return same ? { status: 304, headers, body: '' } : { status: 200, headers, body: found.body };
}
