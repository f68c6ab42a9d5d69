// The types of `select`: results match the selection, and unknown fields do not compile. The
// methods are never called; `tsc -p .` checks this file.
import type { GeoJSON } from 'geojson';
import { expectTypeOf, test } from 'vitest';
import type { Selected } from '../../../src/contract/selection/types.js';
import type * as documents from '../../../src/generated/operation-types.js';
import {
  type CallOptions,
  type FleetClient,
  type Geofence,
  type Person,
  type ResultOf,
  type Rule,
  type Selection,
  type Snapshot,
  tripsFrom,
  type Vehicle,
  type VehicleGroupChange,
  type WorkSchedule,
  withIds,
} from '../../../src/index.js';

declare const fleet: FleetClient;
declare const cond: boolean;
declare const options: CallOptions;
declare const anything: Selection<'getVehicleTypes'> | undefined;

/** Holds calls for the compiler; they never run. */
function compiles(_name: string, _calls: () => unknown): void {}

test('types are checked by the compiler', () => {
  compiles('a list', async () => {
    const rows = await fleet.getVehicles({}, { select: { id: true, lastData: { gps: { speed: true } } } });
    expectTypeOf(rows).toEqualTypeOf<
      { id: string | null; lastData: { gps: { speed: number | null } | null } | null }[]
    >();
    // @ts-expect-error not selected
    rows[0]?.name;
    // @ts-expect-error not selected, below
    rows[0]?.lastData?.gps?.altitude;
  });

  compiles('a single record', async () => {
    const row = await fleet.getVehicleById({ id: '' }, { select: { vin: true, version: true, createdAt: true } });
    expectTypeOf(row).toEqualTypeOf<{
      vin: string | null;
      version: unknown;
      createdAt: string | number | null;
    } | null>();
  });

  compiles('a mutation', async () => {
    const row = await fleet.createGeofence(
      { geofenceInput: {} },
      { select: { geojson: true, address: { city: true } } },
    );
    expectTypeOf(row).toEqualTypeOf<{
      geojson: GeoJSON | null;
      address: { city: string | null } | null;
    } | null>();
  });

  compiles('nested lists keep null rows', async () => {
    const [row] = await fleet.getGroups({}, { select: { vehicleIds: true, assignedVehicles: { name: true } } });
    expectTypeOf(row).toEqualTypeOf<
      { vehicleIds: (string | null)[] | null; assignedVehicles: ({ name: string | null } | null)[] | null } | undefined
    >();
  });

  compiles('true stands for the plain fields', async () => {
    expectTypeOf(await fleet.getVehicleTypes({}, { select: true })).toEqualTypeOf<
      { id: string | null; name: string | null }[]
    >();
    const [row] = await fleet.getVehicles({}, { select: { lastData: { fuel: true }, customFields: true } });
    expectTypeOf(row?.customFields).toEqualTypeOf<
      ({ name: string | null; value: string | null } | null)[] | null | undefined
    >();
    // @ts-expect-error a list of records is no plain field
    row?.lastData?.fuel?.rawFuel;
    // @ts-expect-error it has no plain fields
    fleet.getVehicles({}, { select: { latestData: { temperatures: true } } });
  });

  compiles('every field of the contract', async () => {
    const [row] = await fleet.getActiveVehicles({}, { select: { latestData: { odometer: { value: true } } } });
    expectTypeOf(row?.latestData?.odometer?.value).toEqualTypeOf<number | null | undefined>();
    const period = { vehicleId: '', from: '', to: '' };
    const [snapshot] = await fleet.getSnapshots(period, {
      select: { vehicle: { lastData: { vehicle: { id: true } } } },
    });
    expectTypeOf(snapshot?.vehicle?.lastData?.vehicle?.id).toEqualTypeOf<string | null | undefined>();
  });

  compiles('what the schema does not have', () => {
    // @ts-expect-error no such field
    fleet.getVehicles({}, { select: { nope: true } });
    // @ts-expect-error no such field, beside one there is
    fleet.getVehicles({}, { select: { id: true, nope: true } });
    // @ts-expect-error nor below
    fleet.getVehicles({}, { select: { id: true, lastData: { gps: { speed: true, sped: true } } } });
    // @ts-expect-error nor when it is not wanted
    fleet.getVehicles({}, { select: { id: true, nope: false } });
    // @ts-expect-error nor below a plain value
    fleet.getVehicles({}, { select: { id: { x: true } } });
    // @ts-expect-error nor of another record
    fleet.getDeviceById({ id: '' }, { select: { serial: true, vin: true } });
    const misspelt = { id: true, nam: true } as const;
    // @ts-expect-error nor from a variable
    fleet.getVehicles({}, { select: misspelt });
    // @ts-expect-error neither true nor an object
    fleet.getVehicles({}, { select: { id: 1 } });
    // @ts-expect-error nothing is selected
    fleet.getVehicles({}, { select: {} });
    // @ts-expect-error nor below
    fleet.getVehicles({}, { select: { id: true, lastData: { gps: {} } } });
    // @ts-expect-error nothing to select in plain values
    fleet.deleteGroup({ groupId: '' }, { select: true });
    // @ts-expect-error no such option
    fleet.getVehicles({}, { select: { id: true }, timeoutMS: 1 });
    // @ts-expect-error no such option
    fleet.getVehicles({}, { selec: { id: true } });
  });

  compiles('what may not be selected may be missing', async () => {
    const [row] = await fleet.getVehicles({}, { select: { id: cond, name: false, vin: undefined, year: true } });
    expectTypeOf(row).toEqualTypeOf<{ id: string | null | undefined; year: number | null } | undefined>();
    const [below] = await fleet.getVehicles({}, { select: { lastData: cond ? { gps: true } : false } });
    expectTypeOf(below?.lastData).extract<undefined>().toEqualTypeOf<undefined>();
    const either = await fleet.getVehicles({}, { select: cond ? { id: true } : { vin: true } });
    expectTypeOf(either).toEqualTypeOf<{ id: string | null }[] | { vin: string | null }[]>();
    const maybe = await fleet.getVehicles({}, { select: cond ? { id: true } : undefined });
    expectTypeOf(maybe).toEqualTypeOf<Vehicle[] | { id: string | null }[]>();
    const [type] = await fleet.getVehicleTypes({}, { select: anything });
    expectTypeOf(type?.name).toEqualTypeOf<string | null | undefined>();
  });

  compiles('a selection with a name', async () => {
    const slim = { id: true, assignedGroups: { name: true } } satisfies Selection<'getVehicles'>;
    type Slim = Selected<'getVehicles', typeof slim>;
    expectTypeOf(await fleet.getVehicles({}, { select: slim })).toEqualTypeOf<Slim[]>();
    expectTypeOf<Slim>().toEqualTypeOf<{
      id: string | null;
      assignedGroups: ({ name: string | null } | null)[] | null;
    }>();
    // @ts-expect-error no such field
    void ({ nope: true } satisfies Selection<'getVehicles'>);
    // @ts-expect-error an operation that returns plain values
    expectTypeOf<Selection<'deleteGroup'>>();
  });

  compiles('a generic function passes selections on', async () => {
    const read = <const S extends Selection<'getVehicles'>>(from: Pick<FleetClient, 'getVehicles'>, select: S) =>
      from.getVehicles({}, { select });
    expectTypeOf(await read(fleet, { id: true })).toEqualTypeOf<{ id: string | null }[]>();
    // @ts-expect-error no such field
    read(fleet, { nope: true });
    const readOne = async <const S extends Selection<'getVehicleById'>>(id: string, select: S) => {
      const row: ResultOf<'getVehicleById', S> = await fleet.getVehicleById({ id }, { select });
      return row;
    };
    expectTypeOf(await readOne('', { vin: true })).toEqualTypeOf<{ vin: string | null } | null>();
    const readAll = (from: Pick<FleetClient, 'getVehicles' | 'getPeople'>) => from.getVehicles();
    expectTypeOf(await readAll(fleet)).toEqualTypeOf<Vehicle[]>();
    // A program's own interface, for test doubles.
    const byDefault: { getVehicles(): Promise<Vehicle[]> } = fleet;
    void byDefault;
  });

  compiles('assignments of neither a vehicle nor a driver', () => {
    // @ts-expect-error one of the two is required
    fleet.getDriverAssignments({ input: {} });
    // @ts-expect-error one of the two is required
    fleet.getDriverAssignments({ input: { vehicleId: undefined } });
    fleet.getDriverAssignments({ input: { vehicleId: '' } });
    fleet.getDriverAssignments({ input: { driverId: '', vehicleId: null } });
  });

  compiles('ids that are certain', async () => {
    const rows = withIds(await fleet.getVehicles());
    expectTypeOf(rows[0]?.id).toEqualTypeOf<string | undefined>();
    expectTypeOf(rows[0]?.name).toEqualTypeOf<string | null | undefined>();
    expectTypeOf(withIds(await fleet.getRoles({}, { select: { id: true } }))[0]?.id).toEqualTypeOf<
      string | undefined
    >();
    // @ts-expect-error without an id
    withIds(await fleet.getVehicles({}, { select: { name: true } }));
  });

  compiles('the types of records are those that graphql-codegen computes from the documents', () => {
    type Rows<List> = NonNullable<NonNullable<List> extends readonly (infer Row)[] ? Row : never>[];
    expectTypeOf<Vehicle[]>().toEqualTypeOf<Rows<documents.GetVehiclesQuery['getVehicles']>>();
    expectTypeOf<Snapshot[]>().toEqualTypeOf<Rows<documents.GetSnapshotsQuery['getSnapshots']>>();
    expectTypeOf<Person | null>().toEqualTypeOf<documents.GetPersonByIdQuery['getPersonById']>();
    expectTypeOf<Rule | null>().toEqualTypeOf<documents.GetRuleByIdQuery['getRuleById']>();
    expectTypeOf<WorkSchedule[]>().toEqualTypeOf<Rows<documents.GetWorkSchedulesQuery['getWorkSchedules']>>();
    expectTypeOf<VehicleGroupChange | null>().toEqualTypeOf<
      documents.ChangeVehicleGroupsMutation['changeVehicleGroups']
    >();
    type WithAnyShape = Omit<Geofence, 'geojson'> & { geojson: { [key: string]: unknown } | null };
    expectTypeOf<{ [Key in keyof WithAnyShape]: WithAnyShape[Key] }>().toEqualTypeOf<
      NonNullable<documents.GetGeofenceByIdQuery['getGeofenceById']>
    >();
  });

  compiles('a query without variables takes its options after an empty object', async () => {
    expectTypeOf(await fleet.getVehicles({}, { select: { id: true } })).toEqualTypeOf<{ id: string | null }[]>();
    expectTypeOf(await fleet.getVehicles({}, { timeoutMs: 1 })).toEqualTypeOf<Vehicle[]>();
    for await (const row of fleet.stream('getVehicles', {}, { select: { id: true } }))
      expectTypeOf(row).toEqualTypeOf<{ id: string | null }>();
    // @ts-expect-error options come second
    fleet.getVehicles({ select: { id: true } });
    // @ts-expect-error no such field
    fleet.getVehicles({}, { select: { id: true, nope: true } });
    // @ts-expect-error no such option
    fleet.getVehicles({ vehicleIds: [] });
    // @ts-expect-error it has variables
    fleet.getVehicleById({ select: { id: true } });
  });

  compiles('only a mutation can be idempotent', () => {
    fleet.assignDriver({ assignDriverInput: { vehicleId: '', driverId: '' } }, { idempotent: true });
    fleet.createGroup({ createGroupInput: {} }, { idempotent: true, select: { id: true } });
    fleet.request('mutation { x }', {}, { idempotent: true });
    // @ts-expect-error a query can always be sent again
    fleet.getVehicles({}, { idempotent: true });
    // @ts-expect-error the same with variables
    fleet.getVehicleById({ id: '' }, { idempotent: true });
  });

  compiles('trips have a track when it is asked for', async () => {
    const period = { vehicleId: '', from: '', to: '' };
    for await (const trip of fleet.streamTrips(period, { withTrack: true })) trip.track.length;
    for await (const trip of fleet.streamTrips({ ...period, vehicleIds: [''] }, { withTrack: true })) trip.track.length;
    for await (const trip of tripsFrom([], { withTrack: true })) trip.track.length;
    // @ts-expect-error it may not be there
    for await (const trip of fleet.streamTrips(period)) trip.track.length;
    // @ts-expect-error nor here
    for await (const trip of fleet.streamTrips(period, { withTrack: cond })) trip.track.length;
  });

  compiles('without select all is as ever', async () => {
    expectTypeOf(await fleet.getVehicles()).toEqualTypeOf<Vehicle[]>();
    expectTypeOf(await fleet.getVehicles({}, options)).toEqualTypeOf<Vehicle[]>();
    expectTypeOf(await fleet.getVehicles({}, { select: undefined, partial: true })).toEqualTypeOf<Vehicle[]>();
    expectTypeOf(await fleet.getVehicleById({ id: '' }, cond ? { timeoutMs: 1 } : {})).toEqualTypeOf<Vehicle | null>();
    expectTypeOf<ReturnType<FleetClient['getVehicles']>>().toEqualTypeOf<Promise<Vehicle[]>>();
    expectTypeOf<Awaited<ReturnType<typeof fleet.getLatestSnapshots>>>().toEqualTypeOf<Snapshot[]>();
  });
});
