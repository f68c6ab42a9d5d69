// A call that ends on Jest's fake clock does not affect later tests.
const { FleetClient } = require('fleet-telematics');
const { createMockService } = require('fleet-telematics/mock');

const credentials = { username: 'demo', password: 'demo' };

describe.each(['in the process', 'over a socket'])('%s', (transport) => {
  const service = createMockService({ vehicles: 3 });
  let server;
  let fleet;
  const connect = () =>
    transport === 'in the process'
      ? new FleetClient({ baseUrl: 'http://fleet.example', credentials, fetch: service.fetch })
      : new FleetClient({ baseUrl: server.url, credentials });
  beforeAll(async () => {
    server = await service.listen();
    fleet = connect();
  });
  afterAll(async () => {
    await fleet.close();
    await server.close();
  });
  afterEach(() => {
    jest.useRealTimers();
    service.reset();
  });

  test('a call ends with TIMEOUT', async () => {
    await fleet.connect();
    service.faults.add({ kind: 'delay', ms: 120_000, operation: 'getRoles' });
    jest.useFakeTimers();
    const call = fleet.getRoles({}, { timeoutMs: 30_000 }).catch((error) => error);
    // The delay is used up as soon as the request has arrived.
    while (service.faults.list().length > 0) await jest.advanceTimersByTimeAsync(0);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(await call).toMatchObject({ code: 'TIMEOUT' });
  });

  test('a new client works, and so does the same one', async () => {
    const another = connect();
    expect(await another.getVehicles()).toHaveLength(3);
    await another.close();
    expect(await fleet.getVehicles()).toHaveLength(3);
  });
});
