// Adds names of vehicles and drivers, and places, to snapshots.
import type { Snapshot } from '../../../index.js';
import type { Run } from '../../context/context.js';
import { formatOf } from '../../context/print.js';
import type { DriversAndPlaces } from '../../places/drivers-and-places.js';
import { positionIn } from '../../places/places.js';
import { showsPlaces } from '../../places/shows-places.js';
import { isFieldNamed } from '../../shape/named-fields.js';
import { fieldsOfPlace } from '../../views/place.js';
import type { SnapshotRow } from '../../views/snapshot.js';

interface SnapshotNeeds {
  readonly vehicle: boolean;
  readonly driver: boolean;
  readonly places: boolean;
}

/** Adds names by default for several vehicles, places in tables, and everything in --fields. */
export function snapshotNeeds(run: Run, ofSeveral: boolean): SnapshotNeeds {
  const byDefault = run.globals.fields === undefined;
  return {
    // A map labels each track by its vehicle.
    vehicle: (ofSeveral && byDefault) || formatOf(run).map !== null || isFieldNamed(run, ['vehicle']),
    driver: (ofSeveral && byDefault) || isFieldNamed(run, ['driverName']),
    places: showsPlaces(run),
  };
}

export async function* completeSnapshots(
  rows: AsyncIterable<Snapshot>,
  { names, places }: DriversAndPlaces,
  needs: SnapshotNeeds,
  nameOf: (vehicleId: string) => string,
): AsyncGenerator<SnapshotRow, void, undefined> {
  if (!needs.vehicle && !needs.driver && !needs.places) {
    yield* rows;
    return;
  }
  for await (const row of rows) {
    const driverId = row.driver?.driverId ?? '';
    yield {
      ...(needs.vehicle ? { vehicle: nameOf(row.vehicleId ?? '') } : {}),
      ...(needs.driver ? { driverName: names.get(driverId) ?? driverId } : {}),
      ...row,
      ...(needs.places ? fieldsOfPlace(places.at(positionIn(row.gps))) : {}),
    };
  }
}
