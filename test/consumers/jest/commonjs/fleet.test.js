// Jest without any configuration: its own require() loads every entry except
// fleet-telematics/mock/msw, because msw brings a package that is an ES module only.
const { FleetClient, FleetError } = require('fleet-telematics');
const { createMockService } = require('fleet-telematics/mock');
const { traceFleet } = require('fleet-telematics/otel');
const { redisGate } = require('fleet-telematics/redis');
const { checkSchema, pullSchema } = require('fleet-telematics/schema');
const { toGeoJson } = require('fleet-telematics/tracks');

const credentials = { username: 'demo', password: 'demo' };

test('a client and the service in one process', async () => {
  const { fetch } = createMockService({ vehicles: 3 });
  const fleet = new FleetClient({ baseUrl: 'http://fleet.example', credentials, fetch });
  expect(await fleet.getVehicles()).toHaveLength(3);
  await expect(fleet.getVehicleById({ id: 'no-such-id' })).rejects.toThrow(FleetError);
  await fleet.close();
});

test('the same over HTTP, with the page of the service', async () => {
  const server = await createMockService({ vehicles: 3 }).listen();
  const fleet = new FleetClient({ baseUrl: server.url, credentials });
  expect(await fleet.getVehicles()).toHaveLength(3);
  expect((await fetch(`${server.url}/graphiql`)).status).toBe(200);
  await fleet.close();
  await server.close();
});

test('a client that shares its session keeps it in a file', async () => {
  process.env.FLEET_CONFIG_DIR = require('node:fs').mkdtempSync(`${require('node:os').tmpdir()}/fleet-jest-`);
  const { fetch } = createMockService({ vehicles: 3 });
  const fleet = new FleetClient({ baseUrl: 'http://fleet.example', credentials, fetch, share: 'machine' });
  expect(await fleet.getVehicles()).toHaveLength(3);
  await fleet.close();
});

test('a client that is traced', async () => {
  const { fetch } = createMockService({ vehicles: 3 });
  const fleet = new FleetClient({ baseUrl: 'http://fleet.example', credentials, fetch });
  const tracing = traceFleet(fleet);
  expect(await fleet.getVehicles()).toHaveLength(3);
  tracing.end();
  await fleet.close();
});

test('the entry for Redis', () => {
  expect(typeof redisGate).toBe('function');
});

test('the schema of a service, and of one that does not describe itself', async () => {
  const { fetch } = createMockService({ vehicles: 3 });
  const clientOf = (own) => new FleetClient({ baseUrl: 'http://fleet.example', credentials, fetch: own });
  const fleet = clientOf(fetch);
  expect((await checkSchema(fleet)).source).toBe('introspection');
  await fleet.close();
  const silent = clientOf(async (url, init) =>
    String(init.body).includes('__schema') ? Response.json({ errors: [{ message: 'disabled' }] }) : fetch(url, init),
  );
  expect(await pullSchema(silent)).toBeNull();
  expect((await checkSchema(silent)).source).toBe('probing');
  await silent.close();
});

test('tracks', async () => {
  let text = '';
  for await (const chunk of toGeoJson([])) text += chunk;
  expect(JSON.parse(text).type).toBe('FeatureCollection');
  // The entries share the error classes.
  expect(() => toGeoJson([], { as: 'lines' })).toThrow(FleetError);
});
