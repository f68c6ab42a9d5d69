// The main journeys of SDK and command line on every variant of the reference service. The expected
// difference from the tidy service is stated for each variant, so that wrong data cannot go
// unnoticed.
import { describe, expect, test } from 'vitest';
import { createMockService, type MockVariant, type ScriptedPath } from '../../src/mock/service.js';
import { namedVariants, type VariantName } from '../../src/mock/variants/names.js';
import { clock } from '../moment.js';
import { recordsOf } from '../records-of.js';
import { journeys, type Station } from './journeys.js';

const day = 86_400_000;
const berlin = { latitude: 52.52, longitude: 13.405 };
const potsdam = { latitude: 52.39, longitude: 13.065 };

/** A trip there and back each day, for ten days. */
const path: ScriptedPath = {
  from: clock.now() - 10 * day,
  start: berlin,
  steps: Array.from({ length: 10 }, () => [
    { kind: 'move', to: potsdam, minutes: 40, everySeconds: 60 } as const,
    { kind: 'idle', minutes: 5, everySeconds: 60 } as const,
    { kind: 'move', to: berlin, minutes: 40, everySeconds: 60 } as const,
    { kind: 'stop', minutes: 1440 - 85, everySeconds: 7_200 } as const,
  ]).flat(),
};

interface OpenStation extends Station, AsyncDisposable {}

async function stationOf(variant: MockVariant, member = (name: string) => name): Promise<OpenStation> {
  const service = createMockService({ vehicles: 8, clock, variant });
  const truck = recordsOf(service).vehicles.find(({ name }) => name === 'Truck 01');
  service.telemetry.script(truck?.id ?? '', path);
  const usesOwnConnections = variant.idleConnectionMs !== undefined;
  const server = usesOwnConnections ? await service.listen() : null;
  return {
    baseUrl: server?.url ?? 'http://mock.test',
    fetch: server === null ? service.fetch : globalThis.fetch,
    usesOwnConnections,
    clock: service.clock,
    advance: (ms) => service.clock.advance(ms),
    member,
    [Symbol.asyncDispose]: async () => server?.close(),
  };
}

const results = async (station: () => Promise<OpenStation>): Promise<Record<string, unknown>> => {
  const all: Record<string, unknown> = {};
  for (const journey of journeys) {
    await using open = await station();
    all[journey.name] = await journey.run(open);
  }
  return all;
};

/** Returns the difference from the tidy service's result in a few words. */
function verdict(tidy: unknown, actual: unknown): string {
  if (JSON.stringify(tidy) === JSON.stringify(actual)) return 'same';
  if (typeof actual === 'string') return actual;
  if (Array.isArray(actual)) return `${actual.length} instead of ${Array.isArray(tidy) ? tidy.length : tidy}`;
  if (typeof actual !== 'object' || actual === null) return String(actual);
  const byVerdict = new Map<string, string[]>();
  for (const [key, value] of Object.entries(actual)) {
    const expected = (tidy as Record<string, unknown>)[key];
    if (JSON.stringify(expected) === JSON.stringify(value)) continue;
    const said = typeof value === 'string' ? (value.split(':', 1)[0] ?? '') : 'differs';
    byVerdict.set(said, [...(byVerdict.get(said) ?? []), key]);
  }
  return [...byVerdict].map(([said, keys]) => `${said}: ${keys.join(', ')}`).join('; ');
}

type Stated = Readonly<Record<string, string>>;

const flagsStay =
  'differs: getActiveVehicles, getVehicles, getVehicleById, getVehiclesByVin, getLatestSnapshots, getSnapshots';
const words: Stated = { queries: flagsStay, 'schema check': 'differs: refuted' };
const needNames =
  'updateGroup, changeVehiclesGroup, updateGeofence, changeGeofenceGroups, deleteGeofence, updatePerson, updateDriverToken, deleteDriverToken, setPersonCustomRoles, updatePersonCustomField, assignDriver, deletePerson, deleteGroup';

/** Expected differences from the tidy service. */
const stated: Readonly<Record<VariantName, Stated>> = {
  'refresh-rotates': {},
  'refresh-rotates-with-grace': {},
  'turns-by-login': {},
  // A list keeps the service's order; streams, trips and tracks are in order of time.
  'rows-descending': { queries: 'differs: getSnapshots' },
  'rows-shuffled': { queries: 'differs: getSnapshots' },
  // The rows have not arrived yet, including the newest one of a vehicle.
  'rows-late': {
    queries: 'differs: getActiveVehicles, getVehicles, getSnapshots, getWrappedReport',
    stream: 'differs: rows, distinct',
    track: '2 instead of 2',
  },
  // Methods pass values on unchanged; features read them in every form.
  'flags-upper': words,
  'flags-lower': words,
  'flags-words': words,
  'flags-number': words,
  'gps-text': { queries: flagsStay, 'schema check': 'differs: refuted' },
  'times-offset': {},
  'times-epoch': {},
  jwt: {},
  'refusals-forbidden': {},
  'refusals-graphql': {},
  'deleted-kept': {},
  // New members cannot be seen without introspection.
  'introspection-off': { 'schema check': 'probing: source' },
  // One call of getSnapshots is one period; streams and trips split it into accepted parts.
  // Commands read partial answers: they report the missing part and exit with 6.
  'longest-period': { queries: 'GRAPHQL: getSnapshots' },
  'longest-period-400': { queries: 'GRAPHQL: getSnapshots' },
  'not-found-error': {},
  // Inputs that require a member which this project assumes to be optional.
  'nullability-strict': { 'schema check': 'differs: refuted' },
  'inputs-lenient': {},
  // The service reports unknown members; nothing is changed.
  'inputs-renamed': {
    queries: 'GRAPHQL: getWrappedReport',
    mutations: `GRAPHQL: createGroup, changeVehicleGroups, createGeofence, createPerson, createDriverToken, unassignDriver, updateVehicle, updateVehicleCustomField; INVALID_INPUT: ${needNames}`,
    'schema check': 'differs: refuted, changes',
    names: 'GRAPHQL: deleted; exit 5: twin',
  },
  // updateVehicle returns the unchanged vehicle: the service ignores the members.
  'inputs-renamed-lenient': {
    queries: 'GRAPHQL: getWrappedReport',
    mutations: `GRAPHQL: createGroup, createGeofence, createPerson, createDriverToken, unassignDriver, updateVehicleCustomField; INVALID_INPUT: ${needNames}; differs: updateVehicle`,
    'schema check': 'differs: refuted, changes',
    names: 'GRAPHQL: deleted; exit 5: twin',
  },
  'turns-linger': {},
  'gateway-pages': {},
  'idle-closed': {},
  'login-forms-any': {},
  'userinfo-contract': {},
};

/** Replacements for variants that would have no effect here, or be slow. */
const instead: Partial<Record<VariantName, MockVariant>> = {
  'rows-late': { lateRowsMs: 3 * 3_600_000 },
  'turns-linger': { lingerMs: 5 },
};

let tidyOnce: Promise<Record<string, unknown>> | null = null;
const tidyResults = (): Promise<Record<string, unknown>> => {
  tidyOnce ??= results(() => stationOf({}));
  return tidyOnce;
};

test('on the tidy service every journey ends well', { timeout: 120_000 }, async () => {
  const tidy = await tidyResults();
  expect(JSON.stringify(tidy)).not.toMatch(/"(?:[A-Z]+(?:_[A-Z]+)*|exit \d): /);
  expect(tidy.trips).toHaveLength(9);
  expect(tidy.stream).toEqual({ rows: 874, distinct: 874, isOrdered: 'yes' });
});

async function differences(actual: Readonly<Record<string, unknown>>): Promise<Stated> {
  const tidy = await tidyResults();
  const verdicts = Object.entries(actual).map(([name, result]) => [name, verdict(tidy[name], result)]);
  return Object.fromEntries(verdicts.filter(([, said]) => said !== 'same'));
}

describe('on an untidy service', () => {
  const names = Object.entries(namedVariants).map(([name, { variant }]) => [name as VariantName, variant] as const);

  test.each(names.filter(([name]) => name !== 'idle-closed'))('%s', { timeout: 120_000 }, async (name, variant) => {
    const actual = await results(() => stationOf(instead[name] ?? variant));
    expect(await differences(actual)).toEqual(stated[name]);
  });

  test('idle-closed: nothing is lost, and what may have been lost is told', { timeout: 120_000 }, async () => {
    const { mutations, names: named, ...others } = await results(() => stationOf({ idleConnectionMs: 20 }));
    expect(await differences(others)).toEqual(stated['idle-closed']);
    // The service may close a connection while a change is sent: then the change is not sent again,
    // and dependent calls fail.
    const tidy = await tidyResults();
    const ends = [
      ...Object.entries(mutations as object).map(([name, result]) => verdict(Object(tidy.mutations)[name], result)),
      ...Object.entries(named as object).map(([name, result]) => verdict(Object(tidy.names)[name], result)),
    ];
    const isLost = ends.some((end) => /^(AMBIGUOUS_MUTATION|exit 9)/.test(end));
    for (const end of ends) expect(end).toMatch(isLost ? /^(same|[A-Z_]+: |exit \d)/ : /^same$/);
  });

  test('inputs-renamed, with the members that the service knows', { timeout: 120_000 }, async () => {
    const actual = await results(() => stationOf({ inputs: 'renamed' }, (name) => `${name}Value`));
    expect(await differences(actual)).toEqual({ 'schema check': 'differs: refuted, changes' });
  });
});
