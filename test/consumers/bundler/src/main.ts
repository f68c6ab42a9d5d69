// The SDK in one file, against a service over HTTP whose address is the argument: the default fetch is in the bundle too.
import { FleetClient } from 'fleet-telematics';

const [, , baseUrl = ''] = process.argv;
const fleet = new FleetClient({ baseUrl, credentials: { username: 'demo', password: 'demo' } });
const vehicles = await fleet.getVehicles();
process.stdout.write(`${vehicles.length}\n`);
await fleet.close();
