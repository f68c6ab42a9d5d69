// @ts-check
// One small call of the SDK against `undici.request` and JSON.parse by hand, and against graphql-request plainly: by turns, in
// one process, with the same bytes from one server in a process of its own. Exits 1 when the target is missed.
// `--rounds N` and `--calls N` measure more or less.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { GraphQLClient } from 'graphql-request';
import { getGlobalDispatcher, request } from 'undici';
import { buildProduct, documentOf, loadMock, productFile } from './lib/product.mjs';
import { machine, Report } from './lib/report.mjs';
import { byTurns, median } from './lib/stats.mjs';

const TARGET = 1.25;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '21' },
    calls: { type: 'string', default: '1000' },
    server: { type: 'string' },
  },
});
if (values.server === undefined) await measure(Number(values.rounds), Number(values.calls));
else serve(Buffer.from(values.server));

/** Any query is answered with the same bytes, any login accepted. */
function serve(/** @type {Buffer} */ answer) {
  const login = Buffer.from(JSON.stringify({ access_token: 'a', refresh_token: 'r', expires_in: 36_000 }));
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    incoming.on('end', () => {
      const body = incoming.url === '/graphql' ? answer : login;
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      outgoing.end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const bound = server.address();
    process.send?.(typeof bound === 'object' && bound !== null ? bound.port : 0);
  });
  process.on('disconnect', () => process.exit());
}

/** @param {number} rounds @param {number} calls */
async function measure(rounds, calls) {
  buildProduct();
  const query = await documentOf('getVehicleById');
  const { id, answer } = await smallAnswer(query);
  const child = fork(fileURLToPath(import.meta.url), ['--server', answer]);
  const [port] = await once(child, 'message');
  const url = `http://127.0.0.1:${port}`;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    authorization: 'Bearer a',
    userId: 'u',
  };

  const byHand = async () => {
    const body = JSON.stringify({ query, variables: { id } });
    const answer = await request(`${url}/graphql`, { method: 'POST', headers, body });
    return JSON.parse(await answer.body.text()).data.getVehicleById;
  };

  /** @type {typeof import('../dist/index.js')} */
  const { FleetClient } = await import(productFile('dist/index.js'));
  const fleet = new FleetClient({
    baseUrl: url,
    credentials: { username: 'u', password: 'p' },
    user: { userId: 'u' },
  });
  const sdk = () => fleet.getVehicleById({ id });

  const client = new GraphQLClient(`${url}/graphql`, { headers });
  const plainly = async () => {
    /** @type {{ getVehicleById: unknown }} */
    const data = await client.request(query, { id });
    return data.getVehicleById;
  };

  /** @param {() => Promise<unknown>} call */
  const microseconds = (call) => async () => {
    const begun = performance.now();
    for (let made = 0; made < calls; made += 1) await call();
    return ((performance.now() - begun) * 1000) / calls;
  };
  const things = {
    byHand: microseconds(byHand),
    sdk: microseconds(sdk),
    plainly: microseconds(plainly),
  };
  // Compiled code is what is compared, not how soon it gets compiled.
  await byTurns(3, things);
  const taken = await byTurns(rounds, things);
  await fleet.close();
  await getGlobalDispatcher().close();
  child.disconnect();

  const ratioOf = (/** @type {readonly number[]} */ some) =>
    median(some.map((time, round) => time / (taken.byHand[round] ?? Number.NaN)));
  const rowOf = (/** @type {string} */ name, /** @type {readonly number[]} */ some, target = '') => [
    name,
    `${median(some).toFixed(0)} us`,
    `${ratioOf(some).toFixed(2)}x`,
    target,
  ];
  const report = new Report();
  report.text(`${machine()}. ${rounds} rounds of ${calls} calls by turns; an answer of ${answer.length} bytes.`);
  report.table(
    ['getVehicleById', 'median', 'ratio', 'target'],
    [
      rowOf('undici.request and JSON.parse', taken.byHand),
      rowOf('fleet-telematics', taken.sdk, report.target(`${TARGET}x`, ratioOf(taken.sdk) <= TARGET)),
      rowOf('graphql-request over the global fetch', taken.plainly),
    ],
  );
  process.exitCode = report.missed.length === 0 ? 0 : 1;
}

/** What the reference service answers for one vehicle. */
async function smallAnswer(/** @type {string} */ query) {
  const { createMockService } = await loadMock();
  const service = createMockService();
  const post = async (/** @type {string} */ path, /** @type {RequestInit} */ init) =>
    service.fetch(`http://service.test${path}`, { method: 'POST', ...init });
  const form = new URLSearchParams({ username: 'demo', password: 'demo' });
  /** @type {any} what the reference service answers is known */
  const token = await (await post('/login/token', { body: form })).json();
  const { access_token } = token;
  const authorization = `Bearer ${access_token}`;
  /** @type {any} as above */
  const users = await (await post('/login/userinfo', { method: 'GET', headers: { authorization } })).json();
  const [user] = users;
  const headers = { authorization, userId: user.userId, 'content-type': 'application/json' };
  const ask = async (/** @type {string} */ document, /** @type {object} */ variables) =>
    (await post('/graphql', { headers, body: JSON.stringify({ query: document, variables }) })).text();
  const { id } = JSON.parse(await ask('{ getVehicles { id } }', {})).data.getVehicles[0];
  return { id, answer: await ask(query, { id }) };
}
