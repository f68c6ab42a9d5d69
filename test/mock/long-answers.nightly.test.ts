// A long response must not block other requests. The clients run in another thread. On the server's
// own event loop they could not read while it is busy, and the full socket would pause it.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { caller, day, frozenService, iso, noon } from './caller.js';

const clients = `
  const { request } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const send = (headers, body, begun) => new Promise((resolve, reject) => {
    const outgoing = request(workerData.url + '/graphql', { method: 'POST', headers, agent: false }, (answer) => {
      let bytes = 0;
      answer.once('data', begun ?? (() => {}));
      answer.on('data', (chunk) => { bytes += chunk.length; });
      answer.on('end', () => resolve({ status: answer.statusCode, bytes }));
      answer.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
  const order = [];
  let short;
  const long = send(workerData.long.headers, workerData.long.body, () => {
    short = send(workerData.short.headers, workerData.short.body).then((answer) => order.push({ name: 'short', ...answer }));
  }).then((answer) => order.push({ name: 'long', ...answer }));
  long.then(() => short).then(() => parentPort.postMessage(order));
`;

test('a user is answered while months of snapshots are still being sent to another', async () => {
  const service = frozenService();
  const server = await service.listen();
  try {
    const [demo, limited] = [await caller(service.fetch), await caller(service.fetch, 'limited')];
    const { getVehicles } = await demo.data('{ getVehicles { id vehicleType { name } } }');
    const truck = getVehicles.find((row: { vehicleType: { name: string } }) => row.vehicleType.name === 'Truck');
    const request = (headers: object, query: string) => ({
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const period = `vehicleId: "${truck.id}", from: "${iso(noon - 90 * day)}", to: "${iso(noon)}"`;
    const worker = new Worker(clients, {
      eval: true,
      workerData: {
        url: server.url,
        long: request(demo.headers, `{ getSnapshots(${period}) { timestamp gps { latitude longitude speed } } }`),
        short: request(limited.headers, '{ getUserInfo { userName } }'),
      },
    });
    const [order] = await once(worker, 'message');
    expect(order).toMatchObject([
      { name: 'short', status: 200 },
      { name: 'long', status: 200 },
    ]);
    expect(order[1].bytes).toBeGreaterThan(10_000_000);
  } finally {
    await server.close();
  }
});
