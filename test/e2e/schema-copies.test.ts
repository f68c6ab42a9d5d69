// A tool with its own require() may load CommonJS files of the package beside its ES modules:
// fleet-telematics/schema recognises the errors of a client with other classes.
import { createRequire } from 'node:module';
import { type Fetch, FleetClient } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';
import { checkSchema } from 'fleet-telematics/schema';
import { expect, test } from 'vitest';
import { clock } from '../moment.js';

const require = createRequire(import.meta.url);
const service = createMockService({ vehicles: 1, clock });
const silent: Fetch = (url, init) =>
  String(init.body).includes('__schema')
    ? Promise.resolve(Response.json({ errors: [{ message: 'Introspection is disabled' }] }))
    : service.fetch(url, init);

test('the CommonJS file checks a client of the ES modules whose service refuses introspection', async () => {
  const copy = require('../../dist/commonjs/schema/check-schema.cjs');
  expect(copy.checkSchema).not.toBe(checkSchema);
  const credentials = { username: 'demo', password: 'demo' };
  await using fleet = new FleetClient({ baseUrl: 'https://fleet.example.com', credentials, fetch: silent, clock });
  expect(await copy.pullSchema(fleet)).toBeNull();
  expect((await copy.checkSchema(fleet)).source).toBe('probing');
});
