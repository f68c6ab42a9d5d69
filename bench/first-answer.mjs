// @ts-check
// A program of its own that makes a service, listens, logs in and asks one query, and prints what each step took in
// milliseconds since the process began. Started by service.mjs; needs a fresh process, because modules load only once.
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
