// `fleet mcp`, asked by the official client: what it offers, what it answers, and what it never does.
import { describe, expect, test } from 'vitest';
import { withLowPriority } from '../../src/cli/mcp/low-priority.js';
import { FleetClient } from '../../src/index.js';
import { moment, service } from './harness.js';
import { connectServer } from './mcp-client.js';

const mock = service({ vehicles: 12 });
/** Whose days are read quickly. */
const small = service({ vehicles: 3 });

describe('what it offers', () => {
  test('tools with descriptions, closed inputs and hints that they change nothing', async () => {
    const { client } = await connectServer(mock.fetch);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'where_is',
      'who_drove',
      'list_trips',
      'sum_trips',
      'place_visits',
      'vehicles_near',
      'fleet_status',
      'fleet_today',
      'driver_assignments',
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
    // All of it is part of every conversation.
    expect(JSON.stringify(tools).length).toBeLessThan(45_000);
  });

  test('says what it is for, and in which zone it speaks', async () => {
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
    expect(await read('fleet://today')).toMatch(/3 vehicles: .*Today on Monday, 2026-03-02/s);
  });

  test('prompts, whose arguments are quoted as the data that they are', async () => {
    const { client } = await connectServer(mock.fetch);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['morning_report', 'who_was_at', 'compare_weeks']);
    const told = await client.getPrompt({ name: 'who_was_at', arguments: { place: 'Depot "Tartu"', on: 'yesterday' } });
    expect(JSON.stringify(told.messages)).toContain('Depot');
    expect((await client.getPrompt({ name: 'morning_report', arguments: {} })).messages).toHaveLength(1);
    expect((await client.getPrompt({ name: 'compare_weeks' })).messages).toHaveLength(1);
    await expect(client.getPrompt({ name: 'who_was_at', arguments: {} })).rejects.toThrow();
  });
});

describe('what it answers', () => {
  test('where a vehicle is, in structured content and in a text that says the same', async () => {
    const { ask } = await connectServer(mock.fetch);
    const { text, data, bytes } = await ask('where_is', { vehicles: ['Truck 01'] });
    expect(data).toMatchObject({
      source: 'service',
      timeZone: 'Europe/Tallinn',
      asOf: '2026-03-02 11:30:00+02:00',
      count: 1,
      nextOffset: null,
      rows: [{ vehicle: 'Truck 01', status: expect.any(String) }],
    });
    expect(text).toContain(String(data.summary));
    expect(text).toContain('Truck 01\t');
    expect(bytes).toBeLessThan(2_000);
  });

  test('sums are those of the command line, and their total is that of all rows', async () => {
    const { ask } = await connectServer(small.fetch);
    const { data } = await ask('sum_trips', { by: 'vehicle', from: 'today 06:00', sortBy: 'distanceKm', limit: 2 });
    const rows = data.rows as readonly { readonly distanceKm: number }[]; // as its schema says
    expect(rows).toHaveLength(2);
    expect(data).toMatchObject({ count: 3, nextOffset: 2 });
    const all = await ask('sum_trips', { by: 'vehicle', from: 'today 06:00' });
    const every = all.data.rows as typeof rows;
    const sum = every.reduce((total, { distanceKm }) => total + distanceKm, 0);
    expect(Object(data.total).distanceKm).toBeCloseTo(sum, 0);
    expect(rows[0]?.distanceKm).toBe(Math.max(...every.map(({ distanceKm }) => distanceKm)));
  });

  test('a list that is too long is cut, and the next rows follow without a gap', async () => {
    const { ask } = await connectServer(mock.fetch);
    const seen: unknown[] = [];
    let [requests, pages] = [0, 0];
    for (let next: unknown = 0; next !== null; ) {
      const { data, bytes } = await ask('list_trips', { from: 'today 04:00', offset: next });
      pages++;
      expect(bytes).toBeLessThanOrEqual(20_000);
      // The first page reads all of them.
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

  test('a part of a name is not enough: the answer names the candidates', async () => {
    const { ask } = await connectServer(mock.fetch);
    const { isError, text } = await ask('record_details', { kind: 'vehicle', name: 'ruck 01' });
    expect(isError).toBe(true);
    expect(text).toContain('There is no vehicle "ruck 01"; one vehicle has it as a part of a name.');
    expect(text).toContain('"name":"Truck 01"');
  });

  test('a number is compared by its value', async () => {
    const { ask } = await connectServer(mock.fetch);
    const { data } = await ask('record_details', { kind: 'vehicle', name: 'TRUCK 1' });
    expect(data.record).toMatchObject({ name: 'Truck 01' });
  });
});

describe('what it refuses', () => {
  test('names that fit several records: it tells which', async () => {
    const { ask } = await connectServer(mock.fetch);
    const { isError, text } = await ask('where_is', { vehicles: ['Truck'] });
    expect(isError).toBe(true);
    expect(text).toContain('matches');
    expect(text).toContain('"name":"Truck 01"');
  });

  test.each([
    ['a period that is missing', 'list_trips', {}, /No period is given/],
    ['a period that is no time', 'list_trips', { on: 'whenever' }, /"whenever" is not a time/],
    ['a distance that is none', 'vehicles_near', { place: '58,26', radius: 'far' }, /not a distance.*500m/],
    ['an input that it does not have', 'fleet_status', { colour: 'red' }, /colour/],
    ['a value that is not in the list', 'sum_trips', { by: 'colour', on: 'yesterday' }, /by/],
    ['a mutation', 'query', { document: 'mutation { deleteGroup(groupId: "1") }' }, /only queries are sent/],
    ['two documents in one', 'query', { document: 'query a { getRoles { id } } query b { getRoles { id } }' }, /one/],
    ['a document that is none', 'query', { document: '{ getVehicles {' }, /not GraphQL/],
  ])('%s: nothing is sent', async (_what, tool, args, message) => {
    const { ask } = await connectServer(mock.fetch);
    const before = mock.requests.length;
    const { isError, text } = await ask(tool, args);
    expect(isError).toBe(true);
    expect(text).toMatch(message);
    expect(mock.requests.length).toBe(before);
  });

  test('an answer that is too large, with what to ask for instead', async () => {
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

  test('no service is set: the server starts all the same', async () => {
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
    expect((await client.listTools()).tools).toHaveLength(14);
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

  test('progress is told in words that are those of the command line', async () => {
    const { client } = await connectServer(mock.fetch);
    const told: string[] = [];
    await client.callTool(
      { name: 'list_trips', arguments: { from: '-2h' } },
      { onprogress: ({ message = '' }) => told.push(message) },
    );
    expect(told[0]).toBe('reading 12 vehicles');
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
