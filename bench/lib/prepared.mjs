// @ts-check
// A reference service whose snapshots are prepared bytes, so that the client is measured.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { loadMock } from './product.mjs';

const day = 86_400_000;
const head = Buffer.from('{"data":{"getSnapshots":[');
const foot = Buffer.from(']}}');

/**
 * @typedef {object} PreparedSnapshots
 * @property {string} query a document of getSnapshots
 * @property {number} rows number of newest snapshots before `to`
 * @property {number} to milliseconds since 1970
 */

/**
 * @typedef {object} SnapshotsInfo
 * @property {string} vehicleId of the snapshots
 * @property {Record<number, string>} since start of the period with this number of rows
 * @property {number} bytes of all rows
 */

/** @typedef {import('../../dist/esm/mock/service.js').MockService} Service */

/** @param {PreparedSnapshots} wanted */
export async function startPrepared({ query, rows, to }) {
  const { createMockService } = await loadMock();
  const service = createMockService({ vehicles: 25, variant: { loginForms: 'any' } });
  service.clock.freeze(true);
  service.clock.set(to);
  const { text, starts, times, vehicleId } = await prepare(service, query, rows, to);

  /** @param {string} from @param {string} until */
  const between = (from, until) => {
    const begin = firstAt(times, Date.parse(from));
    const end = firstAt(times, Date.parse(until) + 1);
    // Excludes the comma before the next row.
    return begin >= end ? foot.subarray(0, 0) : text.subarray(starts[begin], (starts[end] ?? 0) - 1);
  };

  const server = createServer(async (incoming, outgoing) => {
    /** @type {Buffer[]} */
    const chunks = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    await once(incoming, 'end');
    const body = Buffer.concat(chunks).toString();
    const type = { 'content-type': 'application/json' };
    if (!body.includes('getSnapshots')) {
      const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
      const request = { method: incoming.method ?? 'GET', headers: Object.fromEntries(headers) };
      const answer = await service.fetch(`http://service${incoming.url}`, body === '' ? request : { ...request, body });
      outgoing.writeHead(answer.status, type).end(await answer.text());
      return;
    }
    const { variables } = JSON.parse(body);
    const list = between(variables.from, variables.to);
    if (/gzip/.test(String(incoming.headers['accept-encoding']))) {
      outgoing.writeHead(200, { ...type, 'content-encoding': 'gzip' });
      const gzip = createGzip({ level: 1 });
      pipeline(gzip, outgoing, () => {});
      for (const piece of [head, list, foot]) gzip.write(piece);
      gzip.end();
      return;
    }
    outgoing.writeHead(200, { ...type, 'content-length': head.length + list.length + foot.length });
    for (const piece of [head, list, foot]) outgoing.write(piece);
    outgoing.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const since = Object.fromEntries(
    [259_200, rows].map((count) => [count, new Date(times[times.length - count] ?? to).toISOString()]),
  );
  return { port, vehicleId, since, bytes: text.length };
}

/**
 * Returns the newest rows in time order; `starts` also has the position after the last row.
 * @param {Service} service
 * @param {string} query
 * @param {number} rows
 * @param {number} to
 */
async function prepare(service, query, rows, to) {
  const ask = await asker(service);
  /** @type {{ getVehicles: { id: string, vehicleType: { name: string } }[] }} */
  const { getVehicles } = await ask('{ getVehicles { id vehicleType { name } } }', {});
  const vehicleId = getVehicles.find(({ vehicleType }) => vehicleType.name === 'Truck')?.id ?? '';
  /** @type {{ time: number, text: Buffer }[][]} the newest day first */
  const days = [];
  for (let count = 0, until = to; count < rows; until -= day) {
    const period = { vehicleId, from: new Date(until - day + 1).toISOString(), to: new Date(until).toISOString() };
    /** @type {{ getSnapshots: { timestamp: string }[] }} */
    const { getSnapshots } = await ask(query, period);
    const made = getSnapshots.map((row) => ({
      time: Date.parse(row.timestamp),
      text: Buffer.from(`${JSON.stringify(row)},`),
    }));
    days.push(made.sort((one, other) => one.time - other.time));
    count += made.length;
  }
  const all = days.reverse().flat().slice(-rows);
  const starts = [0];
  for (const { text } of all) starts.push((starts.at(-1) ?? 0) + text.length);
  const text = Buffer.concat(all.map((row) => row.text));
  return { text, starts, times: all.map(({ time }) => time), vehicleId };
}

/** @param {Service} service */
async function asker(service) {
  const login = await service.fetch('http://service/login/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'username=demo&password=demo',
  });
  const authorization = `Bearer ${JSON.parse(await login.text()).access_token}`;
  const users = await service.fetch('http://service/login/userinfo', { method: 'GET', headers: { authorization } });
  const [user] = JSON.parse(await users.text());
  const headers = { authorization, userid: user.userId, 'content-type': 'application/json' };
  return async (/** @type {string} */ query, /** @type {object} */ variables) => {
    const body = JSON.stringify({ query, variables });
    const answer = await service.fetch('http://service/graphql', { method: 'POST', headers, body });
    const { data, errors } = JSON.parse(await answer.text());
    if (errors) throw new Error(`the rows cannot be made: ${JSON.stringify(errors).slice(0, 300)}`);
    return data;
  };
}

/** @param {readonly number[]} times in order @param {number} time */
function firstAt(times, time) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
