// @ts-check
// A server in its own process, started by server-process.mjs; it sends its address to the parent.
// One of: the reference service, a node:http server with fixed answers, prepared snapshots.
import { createServer } from 'node:http';
import { startPrepared } from './prepared.mjs';
import { loadMock } from './product.mjs';

/**
 * A fixed answer. The default path is its index: `/0`, `/1`.
 * @typedef {{ type: string, body: string, path?: string }} PlainAnswer
 */
/**
 * @typedef {{
 *   kind: 'service', options: import('../../dist/esm/mock/service.js').MockServiceOptions,
 *   frozenAt?: number, tenants?: number
 * } | { kind: 'prepared', wanted: import('./prepared.mjs').PreparedSnapshots }
 *   | { kind: 'plain' }} Config
 */

/** @type {Config} */
const config = JSON.parse(process.argv[2] ?? '{}');
const sendToParent = (/** @type {object} */ message) => process.send?.(message);

/** @type {Map<string, { type: string, body: Buffer }>} */
let answers = new Map();

if (config.kind === 'service') {
  const { createMockService } = await loadMock();
  const begun = performance.now();
  const service = createMockService({
    ...config.options,
    ...(config.tenants === undefined ? {} : { users: tenants(config.tenants) }),
  });
  if (config.frozenAt !== undefined) {
    service.clock.freeze(true);
    service.clock.set(config.frozenAt);
  }
  const { port } = await service.listen();
  sendToParent({ port, startedInMs: performance.now() - begun });
} else if (config.kind === 'prepared') {
  const { port, ...about } = await startPrepared(config.wanted);
  sendToParent({ port, startedInMs: 0, about });
} else {
  // Reads the body as any server must, and answers by path.
  const server = createServer((incoming, outgoing) => {
    incoming.on('data', () => {});
    incoming.on('end', () => {
      const answer = answers.get(incoming.url ?? '');
      outgoing.writeHead(answer ? 200 : 404, { 'content-type': answer?.type, 'content-length': answer?.body.length });
      outgoing.end(answer?.body);
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const bound = server.address();
    sendToParent({ port: typeof bound === 'object' && bound !== null ? bound.port : 0, startedInMs: 0 });
  });
}

/**
 * Returns logins `tenant-0`, `tenant-1` and so on, too many for a command line. Password is the
 * name.
 * @param {number} count
 */
function tenants(count) {
  return Array.from({ length: count }, (_, place) => {
    const name = `tenant-${place}`;
    return { username: name, password: name, entries: [{ fleet: 'Demo Fleet' }] };
  });
}

process.on('message', (/** @type {{ answers: PlainAnswer[] }} */ message) => {
  answers = new Map(
    message.answers.map(({ type, body, path }, place) => [path ?? `/${place}`, { type, body: Buffer.from(body) }]),
  );
  sendToParent({ ready: true });
});
process.on('disconnect', () => process.exit());
