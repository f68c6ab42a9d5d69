// @ts-check
// Creates a service, listens, logs in, sends one query, and prints the time of each step in milliseconds since the process started.
// service.mjs starts it in a fresh process, because modules load only once per process.
import { loadMock } from './lib/product.mjs';
import { ask, logIn } from './lib/wire.mjs';

const since = () => performance.now();
const begun = since();
const { createMockService } = await loadMock();
const loaded = since();
const service = createMockService({ vehicles: Number(process.argv[2] ?? 25) });
const server = await service.listen();
const listening = since();
const user = await logIn(server.url);
const loggedIn = since();
await ask(user, '{ getVehicles { id name licensePlate vin } }');
const answered = since();
await server.close();
process.stdout.write(JSON.stringify({ begun, loaded, listening, loggedIn, answered }));
process.exit();
