// Scripted vehicles: all responses show the scripted rows.
import { beforeEach, describe, expect, test } from 'vitest';
import type { MockService, ScriptedPath, ScriptedRow } from '../../../src/mock/service.js';
import { answerOf, type Caller, caller, frozenService, hour, iso, nobody, noon } from '../caller.js';

const minute = 60_000;
const berlin = { latitude: 52.52, longitude: 13.405 };
const potsdam = { latitude: 52.39, longitude: 13.065 };

let service: MockService;
let demo: Caller;
let vehicleId: string;
beforeEach(async () => {
  service = frozenService({ vehicles: 6 });
  demo = await caller(service.fetch);
  vehicleId = (await demo.data('{ getActiveVehicles { id } }')).getActiveVehicles[0].id;
});

interface Row {
  readonly timestamp: string;
  readonly gps: { state: boolean; latitude: number; longitude: number; speed: number } | null;
  readonly ignition: { engineStatus: boolean } | null;
  readonly canBus: { canDistance: number | null } | null;
}

const rowsBetween = async (from: number, to: number): Promise<Row[]> => {
  const fields = 'timestamp gps { state latitude longitude speed } ignition { engineStatus } canBus { canDistance }';
  const query = `query ($id: UUID!, $from: DateTime!, $to: DateTime!) {
    getSnapshots(vehicleId: $id, from: $from, to: $to) { ${fields} } }`;
  return (await demo.data(query, { id: vehicleId, from: iso(from), to: iso(to) })).getSnapshots;
};
const today = () => rowsBetween(noon - 24 * hour, noon + 24 * hour);
const latest = async () =>
  await demo.data(
    `{ getLatestSnapshots(vehicleIds: ["${vehicleId}"]) { timestamp gps { latitude speed } }
         getVehicleById(id: "${vehicleId}") { lastOdometer lastWorkingHours assignedDevices { serial } lastData { timestamp } } }`,
  );

describe('rows', () => {
  test('they replace what the vehicle would have sent, in their order, with the groups they have', async () => {
    expect((await today()).length).toBeGreaterThan(5);
    service.telemetry.script(vehicleId, [
      { at: noon - 2 * minute, gps: { state: true, ...berlin, speed: 40 }, ignition: true },
      { at: iso(noon - minute), ignition: false },
      { at: new Date(noon - 90_000), gps: { state: false, latitude: 0, longitude: 0 } },
    ]);
    expect(await today()).toEqual([
      {
        timestamp: iso(noon - 2 * minute),
        gps: { state: true, ...berlin, speed: 40 },
        ignition: { engineStatus: true },
        canBus: null,
      },
      { timestamp: iso(noon - minute), gps: null, ignition: { engineStatus: false }, canBus: null },
      {
        timestamp: iso(noon - 90_000),
        gps: { state: false, latitude: 0, longitude: 0, speed: null },
        ignition: null,
        canBus: null,
      },
    ]);
    expect((await latest()).getLatestSnapshots).toEqual([{ timestamp: iso(noon - minute), gps: null }]);
    service.telemetry.clear(vehicleId);
    expect((await today()).length).toBeGreaterThan(5);
  });

  test('a late row is in no answer before it arrives', async () => {
    service.telemetry.script(vehicleId, [
      { at: noon - 10 * minute, ignition: true },
      { at: noon - 5 * minute, arrivesAt: noon + minute, ignition: false },
    ]);
    expect(await today()).toHaveLength(1);
    expect((await latest()).getVehicleById.lastData.timestamp).toBe(iso(noon - 10 * minute));
    service.clock.advance(minute);
    expect(await today()).toHaveLength(2);
    expect((await latest()).getVehicleById.lastData.timestamp).toBe(iso(noon - 5 * minute));
  });

  test('rows of the future are sent when their time has come', async () => {
    service.telemetry.script(vehicleId, [{ at: noon + minute, ignition: true }]);
    expect(await today()).toEqual([]);
    expect((await latest()).getLatestSnapshots).toEqual([]);
    service.clock.advance(minute);
    expect(await today()).toHaveLength(1);
  });

  test('odometer and engine hours follow from positions and ignition, unless they are given', async () => {
    service.telemetry.script(vehicleId, [
      { at: noon - 2 * hour, gps: { ...berlin }, ignition: true, odometerKm: 500, engineHours: 10 },
      { at: noon - hour, gps: { ...potsdam }, ignition: false },
    ]);
    const { lastOdometer, lastWorkingHours } = (await latest()).getVehicleById;
    expect(lastOdometer).toBeCloseTo(527.2, 0);
    expect(lastWorkingHours).toBe(11);
  });

  const wrong: readonly (readonly [string, unknown, string])[] = [
    ['no script', 7, 'script must be an object'],
    ['a row that is no object', [7], 'script[0] must be an object'],
    ['no time', [{}], 'script[0].at must be a time'],
    ['an unknown member', [{ at: noon, gsp: {} }], 'script[0] cannot have "gsp", only at, arrivesAt, ignition'],
    [
      'an unknown member of a group',
      [{ at: noon, gps: { lat: 1 } }],
      'script[0].gps cannot have "lat", only state, latitude',
    ],
    ['text for a number', [{ at: noon, canBus: { canSpeed: '7' } }], 'script[0].canBus.canSpeed must be a number'],
    ['an arrival before the row', [{ at: noon, arrivesAt: noon - 1 }], 'script[0].arrivesAt must not be before at'],
    ['an ignition that is none', [{ at: noon, ignition: 'on' }], 'script[0].ignition must be true or false'],
  ];
  test.each(wrong)('%s is refused with its place, and nothing changes', (_, script, problem) => {
    // @ts-expect-error: no script
    expect(() => service.telemetry.script(vehicleId, script)).toThrow(problem);
    expect(service.telemetry.list()).toEqual({});
  });

  test('a vehicle that does not exist is refused', () => {
    expect(() => service.telemetry.script(nobody, [])).toThrow(RangeError);
    expect(() => service.telemetry.script('Van 01', [])).toThrow('the id of the vehicle must be a UUID');
  });
});

describe('a path', () => {
  const path = (steps: ScriptedPath['steps'], from: number = noon - hour): void =>
    service.telemetry.script(vehicleId, { from, start: berlin, odometerKm: 1_000, steps });

  test('moves, idles and stops: rows at intervals, one at the end', async () => {
    path([
      { kind: 'move', to: potsdam, minutes: 30, everySeconds: 600 },
      { kind: 'idle', minutes: 5, everySeconds: 150 },
      { kind: 'stop', minutes: 10 },
    ]);
    const rows = await today();
    const from = noon - hour;
    expect(rows.map(({ timestamp }) => (Date.parse(timestamp) - from) / minute)).toEqual([0, 10, 20, 30, 32.5, 35, 45]);
    expect(rows.map(({ ignition }) => ignition?.engineStatus)).toEqual([true, true, true, true, true, false, false]);
    expect(rows.map(({ gps }) => gps?.speed)).toEqual([54.4, 54.4, 54.4, 0, 0, 0, 0]);
    expect(rows.at(0)?.gps).toMatchObject(berlin);
    expect(rows.at(-1)?.gps).toMatchObject(potsdam);
    expect(rows.at(-1)?.canBus?.canDistance).toBeCloseTo(1027.2, 1);
    expect((await latest()).getVehicleById.lastWorkingHours).toBeCloseTo(35 / 60, 3);
  });

  test('a speed gives the time', async () => {
    path([{ kind: 'move', to: potsdam, speedKmh: 54.4, everySeconds: 3_600 }]);
    const [first, last] = await today();
    expect((Date.parse(last?.timestamp ?? '') - Date.parse(first?.timestamp ?? '')) / minute).toBeCloseTo(30, 0);
  });

  test('rows without a fix, without groups, late ones, and silence', async () => {
    path([
      { kind: 'idle', minutes: 10, everySeconds: 600, noFix: true },
      { kind: 'idle', minutes: 10, everySeconds: 600, without: ['gps', 'ignition'] },
      { kind: 'silence', minutes: 20, to: potsdam },
      { kind: 'stop', minutes: 10, lateMinutes: 60 },
    ]);
    const rows = await today();
    expect(rows.map(({ gps }) => gps && [gps.state, gps.latitude, gps.longitude])).toEqual([[false, 0, 0], null, null]);
    expect(rows.map(({ ignition }) => ignition)).toEqual([{ engineStatus: true }, null, null]);
    service.clock.advance(hour);
    demo = await caller(service.fetch);
    const later = await today();
    expect(later).toHaveLength(5);
    expect(later.at(-1)).toMatchObject({ timestamp: iso(noon - 10 * minute), gps: potsdam });
    expect(later.at(-1)?.canBus?.canDistance).toBeCloseTo(1027.2, 1);
  });

  test('a device is swapped: another serial number, and totals from their start', async () => {
    const before = (await latest()).getVehicleById.assignedDevices[0].serial;
    path([
      { kind: 'stop', minutes: 90 },
      { kind: 'swapDevice', serial: 'NEW-1', odometerKm: 3 },
      { kind: 'idle', minutes: 10 },
    ]);
    expect((await latest()).getVehicleById).toMatchObject({
      lastOdometer: 1_000,
      assignedDevices: [{ serial: before }],
    });
    service.clock.advance(hour);
    demo = await caller(service.fetch);
    expect((await latest()).getVehicleById).toMatchObject({ lastOdometer: 3, assignedDevices: [{ serial: 'NEW-1' }] });
    const found = await demo.data('{ getDevicesBySerial(serial: "NEW-1") { serial enabled } }');
    expect(found.getDevicesBySerial).toEqual([{ serial: 'NEW-1', enabled: true }]);
  });

  test('reports see the trips of a scripted vehicle', async () => {
    path([
      { kind: 'move', to: potsdam, minutes: 30 },
      { kind: 'stop', minutes: 10 },
    ]);
    const query = `query ($input: WrappedReportInput!) { getWrappedReport(input: $input) { report } }`;
    const inputs = { period: { from: iso(noon - 24 * hour), to: iso(noon) }, vehicleIds: [vehicleId] };
    const answer = await demo.data(query, { input: { reportId: 'vehicle-trips', inputs } });
    expect(answer.getWrappedReport.report.rows).toHaveLength(1);
    // The parts of consecutive periods add up to the trip.
    const [trip] = answer.getWrappedReport.report.rows;
    const middle = iso((Date.parse(trip.start) + Date.parse(trip.end)) / 2);
    let distance = 0;
    for (const period of [
      { from: trip.start, to: middle },
      { from: middle, to: trip.end },
    ]) {
      const input = { reportId: 'vehicle-trips', inputs: { period, vehicleIds: [vehicleId] } };
      const [part] = (await demo.data(query, { input })).getWrappedReport.report.rows;
      expect(part).toMatchObject({ start: period.from, end: period.to });
      distance += part.distance;
    }
    expect(distance).toBeCloseTo(trip.distance, 1);
  });

  const wrong: readonly (readonly [string, object, string])[] = [
    ['no steps', { from: noon, start: berlin, steps: [] }, 'script.steps must be a list of at least one step'],
    ['an unknown kind', steps({ kind: 'fly' }), 'script.steps[0] needs a kind, one of move, idle, stop, silence, swapDevice'],
    ['time and speed', steps({ kind: 'move', to: potsdam, minutes: 1, speedKmh: 1 }), 'script.steps[0] needs either minutes or speedKmh'],
    ['neither', steps({ kind: 'move', to: potsdam }), 'script.steps[0] needs either minutes or speedKmh'],
    ['no time', steps({ kind: 'stop', minutes: 0 }), 'script.steps[0].minutes must be above 0'],
    ['a place', steps({ kind: 'move', to: { latitude: 91, longitude: 0 }, minutes: 1 }), 'script.steps[0].to.latitude must be a number from -90 to 90'],
    ['a group', steps({ kind: 'idle', minutes: 1, without: ['fuel'] }), 'script.steps[0].without[0] must be one of gps, ignition, canBus'],
    ['a member of another kind', steps({ kind: 'silence', minutes: 1, noFix: true }), 'script.steps[0] cannot have "noFix"'],
    ['too many rows', steps({ kind: 'idle', minutes: 900_000, everySeconds: 1 }), 'script leads to more than 200000 rows'],
  ]; // biome-ignore format: a table reads best in rows
  function steps(step: object): object {
    return { from: noon, start: berlin, steps: [step] };
  }
  test.each(wrong)('%s is refused with its place', (_, script, problem) => {
    // @ts-expect-error: no script
    expect(() => service.telemetry.script(vehicleId, script)).toThrow(problem);
  });

  test('what makes no sense does not compile', () => {
    const both: ScriptedPath['steps'] = [
      // @ts-expect-error: either the time or the speed
      { kind: 'move', to: potsdam, minutes: 1, speedKmh: 50 },
    ];
    // @ts-expect-error: silence has no rows
    const silence: ScriptedPath['steps'] = [{ kind: 'silence', minutes: 1, noFix: true }];
    // @ts-expect-error: a row needs its time
    const rows: ScriptedRow[] = [{ ignition: true }];
    expect([both, silence, rows]).toHaveLength(3);
  });
});

describe('over HTTP, in snapshots and after a reset', () => {
  const send = async (method: string, path: string, body?: object) =>
    answerOf(
      await service.fetch(`http://mock.test/__mock/${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );

  test('POST, GET and DELETE scripts', async () => {
    const script = [{ at: iso(noon), ignition: true }];
    expect((await send('POST', 'scripts', { vehicleId, script })).status).toBe(204);
    expect(JSON.parse((await send('GET', 'scripts')).text)).toEqual({ scripts: { [vehicleId]: script } });
    expect(await today()).toHaveLength(1);
    const refused = await send('POST', 'scripts', { vehicleId, script: [{ at: 'noon' }] });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('script[0].at must be a time')]);
    expect((await send('POST', 'scripts', { vehicleId })).status).toBe(400);
    expect((await send('DELETE', 'scripts')).status).toBe(204);
    expect(service.telemetry.list()).toEqual({});
  });

  test('a snapshot has scripts, answers and variant; restoring puts them back, and a reset removes them', async () => {
    service.telemetry.script(vehicleId, [{ at: new Date(noon), gps: { ...berlin } }]);
    service.answer('getRoles', [{ name: 'Clerk' }]);
    service.setVariant({ turns: 'by-login' });
    const saved = JSON.parse(JSON.stringify(service.snapshot()));
    const shown = await today();
    service.reset();
    expect([service.telemetry.list(), service.answers, service.variant]).toEqual([{}, [], {}]);
    demo = await caller(service.fetch);
    service.restore(saved);
    expect(service.variant).toEqual({ turns: 'by-login' });
    expect(await today()).toEqual(shown);
    expect(await demo.data('{ getRoles { name } }')).toEqual({ getRoles: [{ name: 'Clerk' }] });
    expect(JSON.parse(JSON.stringify(service.snapshot()))).toEqual(saved);
  });

  test('a snapshot with a wrong script or answer is refused with its place, and nothing changes', () => {
    const saved = service.snapshot();
    const cases = [
      [{ ...saved, scripts: { [vehicleId]: [{}] } }, `snapshot.scripts["${vehicleId}"][0].at must be a time`],
      [{ ...saved, scripts: { Van: [] } }, 'snapshot.scripts["Van"] must have a UUID in lower case as its key'],
      [{ ...saved, answers: [{ id: 'answer-1' }] }, 'snapshot.answers[0].operation must be one of assignDriver'],
      [{ ...saved, variant: { turns: 'x' } }, 'snapshot.variant.turns must be'],
    ] as const;
    service.telemetry.script(vehicleId, []);
    // @ts-expect-error: no snapshots
    for (const [snapshot, problem] of cases) expect(() => service.restore(snapshot)).toThrow(problem);
    expect(service.telemetry.list()).toEqual({ [vehicleId]: [] });
  });
});
