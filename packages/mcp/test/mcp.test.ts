// `fleet mcp`, called by the official client: its tools, its answers and its limits.
import { describe, expect, test, vi } from 'vitest';
import type { Sleep } from '../../../src/cli/io/io.js';
import type { Fetch } from '../../../src/core/ports.js';
import { FleetClient } from '../../../src/index.js';
import { baseUrl, moment, service, shell } from '../../../test/cli/harness.js';
import { withLowPriority } from '../src/server-client.js';
import { connectServer } from './mcp-client.js';

const mock = service({ vehicles: 12 });
/** A small fleet, whose days are read quickly. */
const small = service({ vehicles: 3 });

describe('the server', () => {
  test('offers tools with descriptions, closed inputs and hints that they change nothing', async () => {
    const { client } = await connectServer(mock.fetch);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'where_is',
      'list_trips',
      'sum_trips',
      'list_stops',
      'place_visits',
      'vehicles_near',
      'fleet_status',
      'fleet_today',
      'driver_assignments',
      'who_drove',
      'find_record',
      'record_details',
      'run_report',
      'describe',
      'query',
    ]);
    for (const { name, title, description = '', inputSchema, outputSchema, annotations } of tools) {
      expect(title, name).toBeTruthy();
      expect(description.length, name).toBeGreaterThan(60);
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema, name).toMatchObject({ type: 'object', required: expect.arrayContaining(['summary']) });
      expect(annotations, name).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    }
    // Every conversation includes all of it.
    expect(JSON.stringify(tools).length).toBeLessThan(24_000);
  });

  test('describes its purpose and its time zone', async () => {
    const { client } = await connectServer(mock.fetch, { words: ['--time-zone', 'America/New_York'] });
    expect(client.getInstructions()).toContain('America/New_York');
    expect(client.getServerVersion()).toMatchObject({ name: 'fleet-telematics' });
  });
});

describe('resources and prompts', () => {
  test('the contract, the words and the fleet of today', async () => {
    const { client } = await connectServer(small.fetch);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['fleet://contract', 'fleet://glossary', 'fleet://today']);
    const read = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      return content && 'text' in content ? content.text : '';
    };
    expect(await read('fleet://contract')).toContain('type Vehicle');
    expect(await read('fleet://glossary')).toContain('**idling**');
    expect(await read('fleet://today')).toMatch(/3 of 3 vehicles drove on Monday, 2026-03-02: .* Silent now: none/s);
  });

  test('prompts, whose arguments are quoted as the data that they are', async () => {
    const { client } = await connectServer(mock.fetch);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['morning_report', 'who_was_at', 'compare_weeks']);
    const prompt = await client.getPrompt({
      name: 'who_was_at',
      arguments: { place: 'Depot "Tartu"', on: 'yesterday' },
    });
    expect(JSON.stringify(prompt.messages)).toContain('Depot');
    expect((await client.getPrompt({ name: 'morning_report', arguments: {} })).messages).toHaveLength(1);
    expect((await client.getPrompt({ name: 'compare_weeks' })).messages).toHaveLength(1);
    await expect(client.getPrompt({ name: 'who_was_at', arguments: {} })).rejects.toThrow();
  });
});

describe('answers', () => {
  test('return the position of a vehicle as structured content and as text with the same data', async () => {
    const { ask } = await connectServer(mock.fetch);
    const { text, data, bytes } = await ask('where_is', { vehicles: ['Truck 01'] });
    expect(data).toMatchObject({
      source: 'service',
      timeZone: 'Europe/Tallinn',
      asOf: '2026-03-02 11:30:00+02:00',
      count: 1,
      nextOffset: null,
      rows: [{ name: 'Truck 01', status: expect.any(String) }],
    });
    expect(text).toContain(String(data.summary));
    expect(text).toContain('Truck 01\t');
    expect(bytes).toBeLessThan(2_000);
  });

  test('have the sums of the command line, and the total of all rows', async () => {
    const { ask } = await connectServer(small.fetch);
    const { data } = await ask('sum_trips', { by: 'vehicle', from: 'today 06:00', sort: '-distanceKm', limit: 2 });
    const rows = data.rows as readonly { readonly distanceKm: number }[]; // as its schema says
    expect(rows).toHaveLength(2);
    expect(data).toMatchObject({ count: 3, nextOffset: 2 });
    const all = await ask('sum_trips', { by: 'vehicle', from: 'today 06:00' });
    const every = all.data.rows as typeof rows;
    const sum = every.reduce((total, { distanceKm }) => total + distanceKm, 0);
    expect(Object(data.total).distanceKm).toBeCloseTo(sum, 0);
    expect(rows[0]?.distanceKm).toBe(Math.max(...every.map(({ distanceKm }) => distanceKm)));
  });

  test('count each trip once in the total of groups, as in the table of the command line', async () => {
    const { ask, folder } = await connectServer(small.fetch);
    const { data } = await ask('sum_trips', { by: 'group', from: 'today 06:00' });
    const fleet = shell(small.fetch, {
      ...{ FLEET_BASE_URL: baseUrl, FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo', FLEET_CONFIG_DIR: folder },
      TZ: 'Europe/Tallinn',
    });
    const words = ['trips', 'list', '--from', 'today 06:00', '--sum-by', 'group', '-o', 'table'];
    const total = (await fleet(words)).stdout.trimEnd().split('\n').at(-1) ?? '';
    expect(total).toContain(Object(data.total).distanceKm.toFixed(1));
    expect(total).toContain(`  ${Object(data.total).trips}  `);
  });

  test('have the stops of the command line, with marks where the period cuts them', async () => {
    const { ask, folder } = await connectServer(small.fetch);
    const { data } = await ask('list_stops', { on: 'today', minMinutes: '20' });
    const fleet = shell(small.fetch, {
      ...{ FLEET_BASE_URL: baseUrl, FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo', FLEET_CONFIG_DIR: folder },
      TZ: 'Europe/Tallinn',
    });
    const words = ['stops', 'list', '--on', 'today', '--min', '20m', '--clip', '-o', 'json'];
    const expected: readonly { readonly durationSeconds: number }[] = JSON.parse((await fleet(words)).stdout);
    const rows: readonly { readonly durationSeconds: number; readonly beganAt?: string }[] = Object(data.rows);
    expect(rows.length).toBe(expected.length);
    const sum = (all: readonly { readonly durationSeconds: number }[]) =>
      all.reduce((total, { durationSeconds }) => total + durationSeconds, 0);
    expect(sum(rows)).toBeCloseTo(sum(expected), 3);
    expect(rows.filter(({ beganAt }) => beganAt !== undefined).length).toBeGreaterThan(0);
  });

  test('mark a trip that the period cuts', async () => {
    const { ask } = await connectServer(mock.fetch);
    const { data } = await ask('list_trips', { vehicles: ['Truck 01'], from: '-10m' });
    expect(data.rows).toMatchObject([{ beganAt: '2026-03-02 11:00:07+02:00', goesOn: true }]);
    const { data: whole } = await ask('who_drove', { vehicle: 'Truck 01', at: 'today 03:20' });
    expect(whole.rows).toMatchObject([
      { startedAt: '2026-03-02 03:00:08+02:00', endedAt: '2026-03-02 03:54:16+02:00' },
      {},
    ]);
  });

  test('have the times of rows, reports and records in the zone of the answer', async () => {
    const { ask } = await connectServer(small.fetch, { words: ['--time-zone', 'America/New_York'] });
    for (const [tool, input] of [
      ['list_trips', { from: '-2h' }],
      ['run_report', { report: 'vehicle-speeding', from: '-2h' }],
      ['record_details', { kind: 'vehicle', name: 'Truck 01' }],
      ['query', { document: '{ getVehicles { name lastData { timestamp } } }' }],
    ] as const) {
      const { data, text } = await ask(tool, input);
      expect(data.timeZone).toBe('America/New_York');
      expect(text, tool).toContain('2026-03-02 0');
      expect(text, tool).not.toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d/);
      expect(text.match(/-05:00/g)?.length, tool).toBeGreaterThan(0);
    }
  });

  test('accept numbers as text, nulls, and one text for a list', async () => {
    const { ask } = await connectServer(mock.fetch);
    const loose = { vehicles: 'Truck 01', at: null };
    const { at: _, ...strict } = { ...loose, vehicles: ['Truck 01'] };
    expect((await ask('where_is', loose)).data).toEqual((await ask('where_is', strict)).data);
    const page = await ask('fleet_status', {
      limit: '3',
      offset: '2',
      withDrivers: 'false',
      status: '["moving","stopped"]',
    });
    expect(page.data).toEqual(
      (await ask('fleet_status', { limit: 3, offset: 2, withDrivers: false, status: ['moving', 'stopped'] })).data,
    );
    expect(page.data.rows).toHaveLength(3);
  });

  test('state that a position is old before they give it', async () => {
    const { ask } = await connectServer(mock.fetch);
    const { data } = await ask('where_is', { vehicles: ['Van 04'] });
    expect(data.summary).toMatch(/^Van 04 is offline: seen \d+ d ago /);
    const { ask: askLarger } = await connectServer(service({ vehicles: 25 }).fetch);
    const near = (place: string) => askLarger('vehicles_near', { place, radius: '50km' });
    const { data: vilnius } = await near('Depot Vilnius');
    expect(vilnius.summary).toMatch(/by straight line: .*Truck 01 \([\d.]+ km\), Van 04 \([\d.]+ km, deactivated\)\.$/);
    expect(vilnius.rows).toContainEqual(expect.objectContaining({ name: 'Van 04', deactivated: true }));
    const { data: tartu } = await near('Depot Tartu');
    expect(tartu.summary).toMatch(/Car 04 \([\d.]+ km, offline: seen \d+ [dh] ago\)\.$/);
  });

  test('cut a list that is too long, and the next rows follow without a gap', async () => {
    const { ask } = await connectServer(mock.fetch);
    const seen: unknown[] = [];
    let [requests, pages] = [0, 0];
    for (let next: unknown = 0; next !== null; ) {
      const { data, bytes } = await ask('list_trips', { from: 'today 04:00', offset: next });
      pages++;
      expect(bytes).toBeLessThanOrEqual(20_000);
      // The first page reads all rows.
      if (next === 0) requests = mock.requests.length;
      seen.push(...Array.from(Object(data.rows)));
      next = data.nextOffset;
      if (next === null) expect(data.count).toBe(seen.length);
      else expect(String(data.notes)).toContain(`ask again with offset ${next}`);
    }
    expect(pages).toBeGreaterThan(1);
    expect(new Set(seen.map((row) => JSON.stringify(row))).size).toBe(seen.length);
    expect(mock.requests.length).toBe(requests);
  });

  test('list the candidates for a part of a name', async () => {
    const { ask } = await connectServer(mock.fetch);
    const { isError, text } = await ask('record_details', { kind: 'vehicle', name: 'ruck 01' });
    expect(isError).toBe(true);
    expect(text).toContain('There is no vehicle "ruck 01"; one vehicle has this text in a name.');
    expect(text).toContain('"name":"Truck 01"');
  });

  test('find a record by a number in its name, whatever its leading zeros', async () => {
    const { ask } = await connectServer(mock.fetch);
    const { data } = await ask('record_details', { kind: 'vehicle', name: 'TRUCK 1' });
    expect(data.record).toMatchObject({ name: 'Truck 01' });
  });
});

describe('work that takes longer than a client waits', () => {
  /** A service that delays snapshots, and a wait that ends, both under the test's control. */
  function slowService(operation = 'getSnapshots', answer = small.fetch) {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const waits: (() => void)[] = [];
    const sleep: Sleep = (ms, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        if (ms === 45_000) waits.push(resolve);
      });
    const fetch: Fetch = async (input, init) => {
      if (!String(init?.body).includes(operation)) return small.fetch(input, init);
      await released;
      return answer(input, init);
    };
    return { fetch, sleep, waits, release };
  }

  test('the answer says that it is not finished, and the next call goes on with the same work', async () => {
    const { fetch, sleep, waits, release } = slowService();
    const { ask } = await connectServer(fetch, { sleep });
    const input = { by: 'vehicle', on: 'yesterday' };
    const first = ask('sum_trips', input);
    await vi.waitFor(() => expect(waits).toHaveLength(1));
    waits[0]?.();
    const { data, isError } = await first;
    expect(isError).toBe(false);
    expect(data.isFinished).toBe(false);
    expect(data.summary).toMatch(/^Not finished yet.*: call sum_trips again with the same input to go on/);
    expect(data.total).toBeUndefined();
    const before = small.requests.length;
    const second = ask('sum_trips', input);
    release();
    const whole = await second;
    expect(whole.data).toMatchObject({ isFinished: true, count: 3 });
    const requests = small.requests.length - before;
    // A new question reads the lists, too.
    await ask('sum_trips', input);
    expect(requests).toBeLessThan(small.requests.length - before - requests);
  });

  test('two equal calls share the work, and the cancellation of one does not stop the other', async () => {
    const { fetch, sleep, waits, release } = slowService();
    const { client, ask } = await connectServer(fetch, { sleep });
    const input = { by: 'vehicle', on: 'yesterday' };
    const first = ask('sum_trips', input);
    const cancel = new AbortController();
    const second = client.callTool({ name: 'sum_trips', arguments: input }, { signal: cancel.signal });
    await vi.waitFor(() => expect(waits).toHaveLength(2));
    cancel.abort();
    await expect(second).rejects.toThrow();
    release();
    expect((await first).data).toMatchObject({ isFinished: true, count: 3 });
  });

  test('the next call reports a failure after the first answer, and the call after it starts again', async () => {
    const errors = [{ message: 'broken', extensions: { classification: 'BAD_REQUEST' } }];
    const { fetch, sleep, waits, release } = slowService('getVehicles', async () =>
      Response.json({ data: null, errors }),
    );
    const { ask } = await connectServer(fetch, { sleep });
    const input = { vehicles: ['Truck 01'] };
    const first = ask('where_is', input);
    await vi.waitFor(() => expect(waits).toHaveLength(1));
    waits[0]?.();
    expect((await first).data.isFinished).toBe(false);
    release();
    await new Promise(setImmediate);
    const { isError, text } = await ask('where_is', input);
    expect(isError).toBe(true);
    expect(text).toContain('broken');
    expect((await ask('where_is', input)).isError).toBe(true);
  });

  test('a call that is cancelled ends its work', async () => {
    const { fetch, sleep, waits, release } = slowService();
    const { client, ask } = await connectServer(fetch, { sleep });
    const cancel = new AbortController();
    const call = client.callTool({ name: 'list_trips', arguments: { on: 'yesterday' } }, { signal: cancel.signal });
    await vi.waitFor(() => expect(waits).toHaveLength(1));
    cancel.abort();
    await expect(call).rejects.toThrow();
    release();
    expect((await ask('find_record', { text: 'Depot' })).isError).toBe(false);
  });
});

describe('refuses', () => {
  test('names that match several records, and lists these between the marks of data', async () => {
    const { ask } = await connectServer(mock.fetch);
    const { isError, text } = await ask('where_is', { vehicles: ['Truck'] });
    expect(isError).toBe(true);
    expect(text).toContain('matches');
    expect(text).toContain('"name":"Truck 01"');
    expect(text).toMatch(/^This is data of the fleet\..*\n<fleet-data>\n.*\n<\/fleet-data>$/);
  });

  test('a name with a hint that mentions only inputs of the tool', async () => {
    const { ask } = await connectServer(mock.fetch);
    const { text } = await ask('place_visits', { places: ['Depot'], on: 'yesterday' });
    expect(text).toContain('Give more of the name, or the id.');
    expect(text).not.toMatch(/filter|--/);
  });

  test.each(['Truck 0', 'ruck 01'])('"%s", a part of a name, as a vehicle', async (name) => {
    const { ask } = await connectServer(mock.fetch);
    for (const tool of ['list_trips', 'sum_trips', 'place_visits']) {
      const { isError, text } = await ask(tool, {
        vehicles: [name],
        on: 'yesterday',
        by: tool === 'sum_trips' ? 'day' : null,
      });
      expect(isError, tool).toBe(true);
      expect(text, tool).toMatch(/has this text in a name|Did you mean/);
    }
  });

  test.each([
    ['a missing period', 'list_trips', {}, /on or from is missing/],
    ['a period that is not a time', 'list_trips', { on: 'whenever' }, /"whenever" is not a time/],
    ['a text that is not a distance', 'vehicles_near', { place: '58,26', radius: 'far' }, /'far' is invalid.*200m/],
    ['an unknown input', 'fleet_status', { statu: 'idling' }, /no input statu\. Did you mean "status"\?/],
    ['a missing input', 'where_is', {}, /vehicles is missing: whole names/],
    ['a value that is not in the list', 'sum_trips', { by: 'colour', on: 'yesterday' }, /by/],
    ['a mutation', 'query', { document: 'mutation { deleteGroup(groupId: "1") }' }, /only queries are sent/],
    ['two documents in one', 'query', { document: 'query a { getRoles { id } } query b { getRoles { id } }' }, /one/],
    ['a text that is not GraphQL', 'query', { document: '{ getVehicles {' }, /not GraphQL/],
  ])('%s, and sends nothing', async (_what, tool, args, message) => {
    const { ask } = await connectServer(mock.fetch);
    const before = mock.requests.length;
    const { isError, text } = await ask(tool, args);
    expect(isError).toBe(true);
    expect(text).toMatch(message);
    expect(mock.requests.length).toBe(before);
  });

  test('an answer that is too large, and suggests a smaller request', async () => {
    const { ask } = await connectServer(mock.fetch);
    const document =
      '{ getVehicles { id name vin make model createdAt updatedAt customFields { name value } assignedGroups { id name } } getPeople { id firstName lastName email createdAt updatedAt customFields { name value } } }';
    const { isError, text } = await ask('query', { document });
    expect(isError).toBe(true);
    expect(text).toMatch(/kB fit.*fewer fields/);
  });
});

describe('a session that is broken', () => {
  test('says what a person must do, without a path of this machine; the next call tries again', async () => {
    const server = await connectServer(mock.fetch, { env: {} });
    const { isError, text } = await server.ask('fleet_status');
    expect(isError).toBe(true);
    expect(text).toContain('A person must run `fleet login`');
    expect(text).not.toContain(server.folder);
  });

  test('the server also starts without the address of a service', async () => {
    const { ask, end } = await connectServer(mock.fetch, { env: { FLEET_BASE_URL: '' } });
    expect((await ask('fleet_status')).text).toContain('fleet login');
    expect(await end()).toEqual({ code: 0, stderr: '' });
  });
});

describe('the protocol', () => {
  test.each(['2025-11-25', '2026-07-28'] as const)('clients of %s get the same answers', async (version) => {
    const mode = version === '2026-07-28' ? { pin: version } : ('legacy' as const);
    const { client, ask } = await connectServer(mock.fetch, { options: { versionNegotiation: { mode } } });
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect((await client.listTools()).tools).toHaveLength(15);
    expect((await ask('find_record', { text: 'Depot Tartu' })).data).toMatchObject({ count: 1 });
    expect((await client.listPrompts()).prompts).toHaveLength(3);
    expect((await client.readResource({ uri: 'fleet://glossary' })).contents).toHaveLength(1);
  });

  test('it ends with code 0 when the client closes stdin, and has printed nothing else', async () => {
    const { ask, end, written } = await connectServer(mock.fetch);
    await ask('find_record', { text: 'Depot' });
    expect(await end()).toEqual({ code: 0, stderr: '' });
    for (const line of written().trimEnd().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  test('a call that is cancelled sends nothing more, and the next one is answered', async () => {
    const slow = service({ vehicles: 12 });
    const cancel = new AbortController();
    const { client, ask } = await connectServer(async (...request) => {
      if (slow.requests.some(({ operations }) => operations.includes('getSnapshots'))) cancel.abort();
      return slow.fetch(...request);
    });
    const call = client.callTool({ name: 'list_trips', arguments: { on: 'last week' } }, { signal: cancel.signal });
    await expect(call).rejects.toThrow();
    expect((await ask('find_record', { text: 'Depot' })).isError).toBe(false);
  });

  test('progress has the words of the command line', async () => {
    const { client } = await connectServer(mock.fetch);
    const prompt: string[] = [];
    await client.callTool(
      { name: 'list_trips', arguments: { from: '-2h' } },
      { onprogress: ({ message = '' }) => prompt.push(message) },
    );
    expect(prompt[0]).toBe('reading 12 vehicles');
  });

  test('calls have low priority, so that those of people go first', async () => {
    const priorities: unknown[] = [];
    await using fleet = new FleetClient({
      baseUrl: 'http://fleet.test',
      credentials: { username: 'demo', password: 'demo' },
      fetch: mock.fetch,
      clock: { now: () => moment },
      hooks: { onCall: ({ priority }) => priorities.push(priority) },
    });
    const low = withLowPriority(fleet);
    await low.getRoles();
    await low.request('{ getLabels { id } }');
    await low.getRoles({}, { priority: 'high' });
    expect(priorities).toEqual(['low', 'low', 'high']);
  });
});
