// close() accepts no new call; open calls end at once or within `drainMs`. A fork closes alone.
import { describe, expect, test } from 'vitest';
import type { Fetch, FleetError } from '../../src/index.js';
import { createDeferred, makeClient, makeService, rejection } from './setup.js';

/** Returns a client whose requests to /graphql wait after `hold` until they are released. */
async function held() {
  const service = makeService();
  const opened = createDeferred();
  const arrived = createDeferred();
  let isHeld = false;
  const fetch: Fetch = async (url, init) => {
    if (url.endsWith('/graphql') && isHeld) {
      arrived.resolve();
      await opened.promise;
    }
    return service.fetch(url, init);
  };
  const fleet = makeClient(service, { fetch });
  await fleet.getLabels();
  const sentBefore = service.requests.length;
  isHeld = true;
  const sent = () => service.requests.slice(sentBefore).flatMap(({ operations }) => operations);
  return { service, fleet, sent, open: opened.resolve, arrived: arrived.promise };
}

const LONG_MS = 600_000;
const group = { createGroupInput: { name: 'x' } };
const code = async (call: Promise<unknown>) => ((await rejection(call)) as FleetError).code;

describe('with drainMs', () => {
  test('what waits and what is under way ends, nothing new is taken, and then it is closed', async () => {
    const { fleet, sent, open, arrived } = await held();
    const calls = [fleet.createGroup(group), fleet.getRoles(), fleet.getVehicleTypes()];
    await arrived;
    const closing = fleet.close({ drainMs: LONG_MS });
    expect(await code(fleet.getLabels())).toBe('CLOSED');
    expect(await code(fleet.fork().getLabels())).toBe('CLOSED');
    open();
    const answers = await Promise.all(calls);
    expect(answers.map((answer) => answer !== null)).toEqual([true, true, true]);
    await closing;
    expect(sent()).toEqual(['createGroup', 'getRoles', 'getVehicleTypes']);
    expect(await code(fleet.getLabels())).toBe('CLOSED');
  });

  test('what has not ended by then fails; a change that was sent is in doubt', async () => {
    const { fleet, arrived, sent } = await held();
    const [change, read] = [rejection(fleet.createGroup(group)), rejection(fleet.getRoles())];
    await arrived;
    await fleet.close({ drainMs: 1 });
    expect(await change).toMatchObject({ code: 'AMBIGUOUS_MUTATION', cause: { code: 'CLOSED' } });
    expect(await read).toMatchObject({ code: 'CLOSED', attempts: 0 });
    expect(sent()).toEqual([]);
  });

  test('close() without it ends the time at once', async () => {
    const { fleet, arrived } = await held();
    const read = rejection(fleet.getRoles());
    await arrived;
    const closing = fleet.close({ drainMs: LONG_MS });
    await fleet.close();
    await closing;
    expect(await read).toMatchObject({ code: 'CLOSED' });
  });

  test('without open calls it closes at once', async () => {
    const fleet = makeClient(makeService());
    await fleet.close({ drainMs: LONG_MS });
    expect(await code(fleet.getRoles())).toBe('CLOSED');
  });

  test('a pause of a watch has nothing to finish', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    const watch = fleet.watchStatus({ intervalMs: LONG_MS, snapshot: true });
    expect((await watch.next()).value).toMatchObject({ type: 'snapshot' });
    const next = rejection(watch.next());
    await new Promise((resolve) => setImmediate(resolve));
    await fleet.close({ drainMs: LONG_MS });
    expect(await next).toMatchObject({ operation: 'watchStatus' });
  });

  test('nor has the reading of a watch', async () => {
    const { fleet, arrived } = await held();
    const reading = rejection(fleet.watchStatus({ snapshot: true }).next());
    await arrived;
    await fleet.close({ drainMs: LONG_MS });
    expect(await reading).toMatchObject({ code: 'CLOSED', operation: 'watchStatus' });
  });

  test('a stream ends before its next request, and says where to go on', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    const [vehicle] = await fleet.getActiveVehicles();
    const to = new Date(service.clock.now());
    const from = new Date(to.getTime() - 30 * 86_400_000);
    const stream = fleet.streamSnapshots({ vehicleId: vehicle?.id ?? '', from, to });
    await stream.next();
    const closing = fleet.close({ drainMs: LONG_MS });
    const error = await rejection(
      (async () => {
        for await (const _ of stream);
      })(),
    );
    expect(error).toMatchObject({ code: 'CLOSED', resumeFrom: expect.any(String), rowsGiven: expect.any(Number) });
    await closing;
  });

  test.each([{ drainMs: -1 }, { drainMs: Number.POSITIVE_INFINITY }, { drain: 5 }, 5])(
    'refuses %j and stays open',
    async (options) => {
      const fleet = makeClient(makeService());
      expect(await code(fleet.close(options as never))).toBe('INVALID_INPUT');
      expect(await fleet.getRoles()).not.toHaveLength(0);
    },
  );
});

describe('a fork', () => {
  test('closes for itself alone', async () => {
    const { fleet, open, arrived } = await held();
    const fork = fleet.fork();
    const other = fleet.fork();
    const own = rejection(fork.getRoles());
    const calls = [fleet.getLabels(), other.getVehicleTypes()];
    await arrived;
    await fork.close();
    expect(await own).toMatchObject({ code: 'CLOSED' });
    expect(await code(fork.getRoles())).toBe('CLOSED');
    expect(await code(fork.fork().getRoles())).toBe('CLOSED');
    open();
    await Promise.all([...calls, fleet.getRoles(), other.getRoles()]);
  });

  test('waits for its own calls only', async () => {
    const { fleet, open, arrived } = await held();
    const others = fleet.getLabels();
    await arrived;
    const fork = fleet.fork();
    await fork.close({ drainMs: LONG_MS });
    open();
    await others;
  });

  test('is closed with the client that it was made from', async () => {
    const { fleet, arrived } = await held();
    const fork = fleet.fork();
    const call = rejection(fork.getRoles());
    await arrived;
    await fleet.close();
    expect(await call).toMatchObject({ code: 'CLOSED' });
    expect(await code(fork.getRoles())).toBe('CLOSED');
  });

  test('of a fork, twenty thousand times: calls and closes as any other', async () => {
    const service = makeService();
    let fork = makeClient(service);
    for (let depth = 0; depth < 20_000; depth++) fork = fork.fork();
    expect(await fork.getRoles()).not.toHaveLength(0);
    await fork.close();
    expect(await code(fork.getRoles())).toBe('CLOSED');
  });
});
