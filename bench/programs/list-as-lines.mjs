// @ts-check
// Prints a service's vehicles as JSON lines, as a script with graphql-request does. Arguments:
// address, headers as JSON, document.
import { once } from 'node:events';
import { GraphQLClient } from 'graphql-request';

const [url = '', headers = '{}', document = ''] = process.argv.slice(2);
const client = new GraphQLClient(`${url}/graphql`, { headers: JSON.parse(headers) });
/** @type {{ getVehicles: object[] }} */
const data = await client.request(document);
for (const row of data.getVehicles) {
  if (!process.stdout.write(`${JSON.stringify(row)}\n`)) await once(process.stdout, 'drain');
}
