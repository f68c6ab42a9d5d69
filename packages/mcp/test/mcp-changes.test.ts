// `fleet mcp --allow-changes`: never without a plan, each plan once, and exactly as planned.
import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, test, vi } from 'vitest';
import { operations } from '../../../src/generated/operation-table.js';
import type { MockService } from '../../../src/mock/service.js';
import { baseUrl, moment, service, shell } from '../../../test/cli/harness.js';
import { connectServer } from './mcp-client.js';

/** Returns the number of mutations sent. */
function mutationsOf({ requests }: MockService): number {
  return requests.flatMap((request) => request.operations).filter((name) => isMutation(name)).length;
}

function isMutation(name: string): boolean {
  return Object.values(operations).some((operation) => operation.name === name && operation.kind === 'mutation');
}

const words = ['--allow-changes'];
const field = { change: 'set_vehicle_field', vehicle: 'Truck 01', field: 'Cost centre', value: '9999' };

test('without the flag nothing can be changed', async () => {
  const { client } = await connectServer(service().fetch);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).not.toContain('plan_change');
  expect(names).not.toContain('carry_out_plan');
  await expect(client.callTool({ name: 'carry_out_plan', arguments: { plan: 'x' } })).rejects.toThrow('not found');
});

test('the execution is the only tool that says that it changes something', async () => {
  const { client } = await connectServer(service().fetch, { words });
  const writing = (await client.listTools()).tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
  expect(writing.map(({ name }) => name)).toEqual(['carry_out_plan']);
  expect(writing[0]?.annotations).toMatchObject({ destructiveHint: true });
});

test.each([
  ['a custom field of a vehicle', field, 'update vehicle Truck 01: customFields.Cost centre becomes "9999"'],
  [
    'the data of a vehicle',
    { change: 'update_vehicle', vehicle: 'Truck 01', values: { plate: '1 NEW', year: '2020' }, labels: [] },
    'licensePlate',
  ],
  [
    'a vehicle that is deactivated',
    { change: 'update_vehicle', vehicle: 'Truck 01', active: false },
    'deactivated becomes true, was false',
  ],
  ['the data of a person', { change: 'update_person', person: 'Karl Schmidt', values: { phone: '+372 5' } }, 'phone'],
  [
    'a driver who is assigned',
    { change: 'assign_driver', vehicle: 'Van 01', driver: 'Karl Schmidt' },
    'Karl Schmidt on Van 01',
  ],
  ['a driver who is unassigned', { change: 'unassign_driver', vehicle: 'Truck 01' }, 'Karl Schmidt on Truck 01'],
  [
    'groups of vehicles',
    { change: 'change_vehicle_groups', vehicles: ['Truck 01', 'Van 01'], add: ['Winter roster'] },
    'Winter roster',
  ],
])('%s: planned, and then carried out as planned', async (_what, change, answerText) => {
  const mock = service();
  const { ask, folder } = await connectServer(mock.fetch, { words });
  const planned = await ask('plan_change', change);
  expect(planned.isError, planned.text).toBe(false);
  expect(planned.text).toContain(answerText);
  expect(mutationsOf(mock)).toBe(0);

  const done = await ask('carry_out_plan', { plan: planned.data.plan });
  expect(done.isError, done.text).toBe(false);
  expect(String(done.data.summary)).toMatch(/^Done: /);
  expect(done.text).not.toContain('Nothing was changed');
  expect(mutationsOf(mock)).toBeGreaterThan(0);

  // The journal has the change, and it can be undone.
  const fleet = shell(mock.fetch, {
    FLEET_BASE_URL: baseUrl,
    FLEET_USERNAME: 'demo',
    FLEET_PASSWORD: 'demo',
    FLEET_CONFIG_DIR: folder,
  });
  const { stdout } = await fleet(['history', '-o', 'json']);
  expect(JSON.parse(stdout)).toMatchObject([{ command: expect.stringMatching(/^(vehicles|people|drivers) /) }]);
  expect((await fleet(['undo', '1', '--yes'])).code).toBe(0);

  const again = await ask('carry_out_plan', { plan: planned.data.plan });
  expect(again.isError).toBe(true);
  expect(again.text).toContain('Nothing was sent.');
});

test.each([-3, 3])(
  '"now" of the first plan is that of the service, where this machine is %i days off',
  async (days) => {
    const mock = service();
    const clock = { now: () => moment + days * 86_400_000 };
    const { ask } = await connectServer(mock.fetch, { words, clock });
    const change = { change: 'assign_driver', vehicle: 'Van 01', driver: 'Karl Schmidt' };
    const { data, text } = await ask('plan_change', change);
    expect(text).toContain('Karl Schmidt on Van 01');
    expect(JSON.stringify(data.rows)).toContain('2026-03-02 11:30:00+02:00');
  },
);

test('a question shows the new value, however long the old one and the name are', async () => {
  const mock = service();
  const questions: string[] = [];
  const { ask } = await connectServer(mock.fetch, {
    words,
    options: { capabilities: { elicitation: { form: {} } } },
    prepare: (client) =>
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        questions.push(params.message);
        return { action: 'accept', content: { confirm: true } };
      }),
  });
  for (const value of ['A'.repeat(400), 'EVIL']) {
    const { data } = await ask('plan_change', { ...field, value });
    await ask('carry_out_plan', { plan: data.plan });
  }
  expect(questions).toHaveLength(2);
  expect(questions[0]).toContain(`becomes "${'A'.repeat(400)}", was "`);
  expect(questions[1]).toContain('becomes "EVIL", was "AAAA');
  expect(questions[1]?.length).toBeLessThan(300);
});

test('makes a change whose call is cancelled, and the next call reports its outcome', async () => {
  const mock = service();
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isSent = false;
  const { ask, client } = await connectServer(
    async (input, init) => {
      if (!String(init?.body).includes('updateVehicleCustomField')) return mock.fetch(input, init);
      isSent = true;
      await released;
      return mock.fetch(input, init);
    },
    { words },
  );
  const { data } = await ask('plan_change', field);
  const cancel = new AbortController();
  const args = { plan: data.plan };
  const call = client.callTool({ name: 'carry_out_plan', arguments: args }, { signal: cancel.signal });
  await vi.waitFor(() => expect(isSent).toBe(true));
  cancel.abort();
  await expect(call).rejects.toThrow();
  release();
  const done = await ask('carry_out_plan', args);
  expect(String(done.data.summary)).toMatch(/^Done: /);
  expect(mutationsOf(mock)).toBe(1);
  expect((await ask('carry_out_plan', args)).text).toContain('There is no such plan');
});

describe('what is refused', () => {
  test.each([
    ['a name that is not whole', { ...field, vehicle: 'ruck 01' }, /Give the whole name/],
    ['a member that is missing', { change: 'assign_driver', vehicle: 'Truck 01' }, /needs driver/],
    [
      'a value of another record',
      { change: 'update_vehicle', vehicle: 'Truck 01', values: { phone: '1' } },
      /has no value phone/,
    ],
    ['nothing to change', { change: 'update_vehicle', vehicle: 'Truck 01' }, /nothing to change/],
    ['a flag in the place of a name', { ...field, vehicle: '--input=/etc/passwd' }, /There is no vehicle/],
    [
      'a flag in the place of a value',
      { change: 'update_vehicle', vehicle: 'Truck 01', values: { year: '--yes' } },
      /four digits/,
    ],
  ])('%s', async (_what, change, message) => {
    const mock = service();
    const { ask } = await connectServer(mock.fetch, { words });
    const { isError, text } = await ask('plan_change', change);
    expect(isError).toBe(true);
    expect(text).toMatch(message);
  });

  test('a plan that changes nothing has no plan', async () => {
    const mock = service();
    const { ask } = await connectServer(mock.fetch, { words });
    const first = await ask('plan_change', field);
    await ask('carry_out_plan', { plan: first.data.plan });
    expect((await ask('plan_change', field)).data).toMatchObject({ plan: null });
  });

  test('a fleet that has changed since', async () => {
    const mock = service();
    const { ask } = await connectServer(mock.fetch, { words });
    const [one, other] = [await ask('plan_change', field), await ask('plan_change', { ...field, value: '8888' })];
    await ask('carry_out_plan', { plan: one.data.plan });
    const { isError, text } = await ask('carry_out_plan', { plan: other.data.plan });
    expect(isError).toBe(true);
    expect(text).toContain('The fleet has changed since the plan was made. Nothing was sent.');
  });

  test('a plan that is older than ten minutes', async () => {
    let now = moment;
    const clock = { now: () => now };
    const mock = service({ clock });
    const { ask } = await connectServer(mock.fetch, { words, clock });
    const { data } = await ask('plan_change', field);
    now += 601_000;
    expect((await ask('carry_out_plan', { plan: data.plan })).text).toContain('older than ten minutes');
  });
});

describe.each([
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
] as const)('a client of %s that can ask', (_version, mode) => {
  async function answering(result: ElicitResult) {
    const questions: string[] = [];
    const mock = service();
    const server = await connectServer(mock.fetch, {
      words,
      options: { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
      prepare: (client) =>
        client.setRequestHandler('elicitation/create', async ({ params }) => {
          questions.push(params.message);
          return result;
        }),
    });
    const { data } = await server.ask('plan_change', field);
    const answerText = await server.ask('carry_out_plan', { plan: data.plan });
    return {
      answerText,
      questions,
      isChanged: mutationsOf(mock) > 0,
      again: await server.ask('carry_out_plan', { plan: data.plan }),
    };
  }

  test('yes: it is carried out, after a question that says what changes', async () => {
    const { answerText, questions, isChanged } = await answering({ action: 'accept', content: { confirm: true } });
    expect(questions).toEqual([
      expect.stringMatching(
        /^Change the fleet\?\nupdate vehicle Truck 01: customFields\.Cost centre becomes "9999", was "\S+"$/,
      ),
    ]);
    expect(answerText.isError).toBe(false);
    expect(isChanged).toBe(true);
  });

  test.each<readonly [string, ElicitResult]>([
    ['no', { action: 'decline' }],
    ['a closed question', { action: 'cancel' }],
    ['accepted without the mark', { action: 'accept', content: { confirm: false } }],
  ])('%s: nothing is sent, and the plan is gone', async (_what, result) => {
    const { answerText, isChanged, again } = await answering(result);
    expect(answerText.isError).toBe(true);
    expect(answerText.text).toContain('A person has said no. Nothing was changed.');
    expect(isChanged).toBe(false);
    expect(again.text).toContain('There is no such plan');
  });
});
