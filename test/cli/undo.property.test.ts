// Random changes, undone in reverse order: the service has its former state again.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../runs.js';
import { service, shellOf } from './harness.js';
import { storeOf } from './store-of.js';

interface Change {
  readonly words: readonly string[];
  readonly input?: string;
}

const vehicle = fc.constantFrom('Van 01', 'Van 02', 'Van 03', 'Truck 01', 'Truck 02');
const group = fc.constantFrom('City deliveries', 'Winter roster', 'Long haul', 'Long haul East', 'Field service');
const person = fc.constantFrom('Karl Berg', 'Liis Tamm', 'Jonas Nowak', 'Karl Schmidt', 'Marek Ozols');
const geofence = fc.constantFrom('Depot Tartu', 'Customer Tartu', 'Customer Vilnius', 'Depot Madrid');
const word = fc.stringMatching(/^[A-Za-zäõ0-9][A-Za-z0-9 .-]{0,8}[A-Za-z0-9]$/);
const cleared = fc.oneof(word, fc.constant(''));
const hour = fc.integer({ min: -200, max: 200 });
const ring = [
  [24, 58],
  [24.1, 58],
  [24.1, 58.1],
  [24, 58],
];

/** Returns optional flags; the first one is always set. */
function flags(all: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<readonly string[]> {
  const [first = '', ...others] = Object.keys(all);
  const record = fc.record(all, { requiredKeys: [first, ...others].slice(0, 1) });
  return record.map((chosenFlags) => Object.entries(chosenFlags).flatMap(([flag, value]) => [`--${flag}`, value]));
}

const of = (...parts: readonly fc.Arbitrary<string | readonly string[]>[]): fc.Arbitrary<Change> =>
  fc.tuple(...parts).map((words) => ({ words: words.flat() }));
const is = (text: string) => fc.constant(text.split(' '));

const changes: readonly fc.Arbitrary<Change>[] = [
  of(
    is('vehicles update'),
    vehicle,
    flags({ plate: cleared, vin: cleared, make: cleared, label: fc.constantFrom('Leased', '') }),
  ),
  of(
    is('vehicles update --filter name=Van* --yes'),
    flags({ model: cleared, year: fc.constantFrom('2001', '2002', '') }),
  ),
  of(is('vehicles update'), vehicle, fc.constantFrom('--deactivate', '--activate')),
  of(is('vehicles set-field'), vehicle, fc.constant('Cost centre'), cleared),
  of(is('vehicles set-field'), fc.constant('Cost centre'), cleared, is('--group Deliveries --yes')),
  of(is('vehicles groups'), vehicle, fc.constant('--add'), group),
  of(is('vehicles groups'), vehicle, fc.constant('--remove'), group),
  of(is('vehicles groups --filter name=Truck* --yes --add'), group),
  of(
    is('vehicles move --yes').map(([noun = '', verb = '']) => [noun, verb]),
    fc.constant('--from'),
    group,
    fc.constant('--to'),
    group,
    vehicle,
  ),
  of(is('groups create --name'), word, fc.constant('--parent'), group),
  of(is('groups update'), group, flags({ description: cleared, 'external-id': word })),
  of(is('groups delete --yes'), group),
  of(is('geofences update'), geofence, flags({ description: cleared, color: fc.constant('#D62728'), type: word })),
  of(is('geofences groups'), geofence, fc.constant('--add'), group),
  of(is('geofences delete --yes'), geofence),
  word.map((name) => ({
    words: ['geofences', 'create', '--input', '-'],
    input: JSON.stringify({ name, geojson: { type: 'Polygon', coordinates: [ring] } }),
  })),
  of(is('people create --is-driver --first-name'), word, fc.constant('--last-name'), word),
  of(is('people update'), person, flags({ phone: cleared, 'license-number': cleared, 'employee-id': word })),
  of(is('people set-field'), person, fc.constant('Department'), cleared),
  of(is('people set-roles'), person, fc.constantFrom('Accountant', '--none')),
  of(is('people delete --yes'), person),
  of(
    is('drivers assign --yes'),
    vehicle,
    person,
    fc
      .tuple(hour, fc.integer({ min: 1, max: 300 }))
      .map(([from, length]) => [
        ...['--from', `${from < 0 ? '' : '+'}${from}h`],
        ...(length > 150 ? [] : ['--to', `${from + length < 0 ? '' : '+'}${from + length}h`]),
      ]),
  ),
  of(
    is('drivers unassign --yes'),
    vehicle,
    fc.constant('--at'),
    hour.map((at) => `${at < 0 ? '' : '+'}${at}h`),
  ),
  fc.tuple(vehicle, word, group, cleared).map(([name, plate, one, cost]) => ({
    words: ['vehicles', 'apply', '-', '--input-format', 'csv', '--yes'],
    input: `id,licensePlate,groupIds,customFields.Cost centre\n${name},${plate},${one},${cost === '' ? 'null' : cost}\n`,
  })),
  fc.tuple(geofence, word).map(([id, city]) => ({
    words: ['geofences', 'update', '--input', '-'],
    input: JSON.stringify({ id, address: { city } }),
  })),
  fc.tuple(word, group, cleared).map(([name, parent, description]) => ({
    words: ['groups', 'apply', '-', '--input-format', 'json', '--yes'],
    input: JSON.stringify([
      { name: `New ${name}`, parentId: parent },
      { name: 'Winter roster', parentId: `New ${name}`, description },
    ]),
  })),
  fc.tuple(person, word, cleared).map(([name, phone, value]) => ({
    words: ['people', 'update', name, '--input', '-'],
    input: JSON.stringify({ phone, customFields: [{ name: 'Department', value }] }),
  })),
  word.map((phone) => ({
    words: ['people', 'apply', '-', '--input-format', 'csv', '--prune', '--yes'],
    input: `firstName,lastName,phone\nKarl,Berg,${phone}\nLiis,Tamm,\nJonas,Berg,\nMartin,Mets,\n`,
  })),
];

/** Returns what no undo restores, by the deleted records. */
function lostBy(made: readonly Change[]): readonly string[] {
  const deletes = ({ words }: Change, noun: string) =>
    words[0] === noun && (words.includes('delete') || words.includes('--prune'));
  const isDeleted = (noun: string) => made.some((one) => deletes(one, noun));
  return [
    ...(isDeleted('groups') ? ['rules', 'geofences.groupIds', 'people.groupId', 'groups.geofenceIds'] : []),
    ...(isDeleted('geofences') ? ['rules', 'geofences.groupIds'] : []),
    ...(isDeleted('people') ? ['tokens', 'assignments', 'people.groupId'] : []),
  ];
}

test('what is done and undone leaves the service as it was', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(...changes), { minLength: 1, maxLength: 4 }), async (plannedChanges) => {
      const world = service();
      const fleet = shellOf('demo', world.fetch);
      // The service creates its records with the first request.
      expect((await fleet(['vehicles', 'types'])).code).toBe(0);
      const start = world.snapshot();
      const made: Change[] = [];
      for (const change of plannedChanges) {
        // The former driver may be deleted, and cannot be assigned again.
        if (change.words[0] === 'drivers' && lostBy(made).includes('assignments')) continue;
        const { code } = await fleet(change.words, change.input === undefined ? {} : { input: change.input });
        if (code === 0) made.push(change);
      }
      const numbers = (await fleet(['history', '--fields', 'n', '--no-headers'])).stdout
        .split('\n')
        .filter((n) => n !== '');
      for (const n of numbers) {
        const { code, stderr } = await fleet(['undo', n, '--yes']);
        // A deletion ends assignments, and a restored person has another id.
        const isOfTheGone =
          lostBy(made).includes('assignments') &&
          /changed the records since #\d+\.[\s\S]* on [\s\S]*, from /.test(stderr);
        expect({ n, code, stderr }).toMatchObject({ code: isOfTheGone ? 2 : 0 });
      }
      const lost = lostBy(made);
      // An empty text and null are equal to every change.
      const rowsOf = (snapshot: unknown) => storeOf(snapshot, lost).map((row) => row.replaceAll(':""', ':null'));
      const [before, after] = [rowsOf(start), rowsOf(world.snapshot())];
      expect({
        made,
        gone: before.filter((row) => !after.includes(row)),
        added: after.filter((row) => !before.includes(row)),
      }).toEqual({ made, gone: [], added: [] });
    }),
    { numRuns: runs(60) },
  );
});
