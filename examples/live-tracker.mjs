// @ts-check
// Follows a whole fleet, such as 1,000 vehicles, with one request per interval, for any number of
// browsers. GET / returns the board as JSON; GET /events sends it, then each change, as server-sent
// events. Run `node live-tracker.mjs 8080 5`: the port, and the seconds between requests.
import { createServer } from 'node:http';
import { FleetClient } from 'fleet-telematics';

const { FLEET_BASE_URL = '', FLEET_USERNAME = '', FLEET_PASSWORD = '' } = process.env;
const [port = 8080, seconds = 5] = process.argv.slice(2).map(Number);
const credentials = { username: FLEET_USERNAME, password: FLEET_PASSWORD };
const fleet = new FleetClient({ baseUrl: FLEET_BASE_URL, credentials, share: 'machine' });

/** @type {Map<string, import('fleet-telematics').WatchedVehicle>} */
const board = new Map();
/** @type {Set<import('node:http').ServerResponse>} */
const listeners = new Set();
/** @param {{ readonly type: string }} event */
const sse = (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

const server = createServer((request, response) => {
  const now = { type: 'board', vehicles: [...board.values()] };
  const isStream = request.url === '/events';
  response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
  if (!isStream) return response.end(JSON.stringify(now.vehicles));
  response.write(sse(now));
  listeners.add(response.on('close', () => listeners.delete(response)));
});
server.listen(port, () => process.stdout.write(`${JSON.stringify(server.address())}\n`));

const stop = new AbortController();
process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
try {
  for await (const event of fleet.watchStatus({ snapshot: true, intervalMs: seconds * 1000, signal: stop.signal })) {
    if (event.type === 'snapshot') for (const vehicle of event.vehicles) board.set(vehicle.vehicleId, vehicle);
    else if (event.type === 'gone') board.delete(event.vehicle.vehicleId);
    else if ('vehicle' in event) board.set(event.vehicle.vehicleId, event.vehicle);
    // Disconnects a browser that does not read. It reconnects and gets the whole board.
    for (const listener of listeners)
      if (!listener.write(sse(event)) && listener.writableLength > 1e6) listener.destroy();
  }
} catch (error) {
  if (!stop.signal.aborted) throw error;
} finally {
  server.close().closeAllConnections();
  await fleet.close();
}
