// Adds the place and the address of the last position to vehicles.
import type { FleetClient } from '../../../index.js';
import type { ReportingRun } from '../../context/context.js';
import { type Addresses, addressFieldOf } from '../../places/addresses.js';
import { type Places, positionIn } from '../../places/places.js';
import { readPlaces } from '../../places/read-places.js';
import { showsPlaces } from '../../places/shows-places.js';
import { fieldsOfPlace } from '../../views/place.js';
import type { PlacedVehicle, VehicleRow } from '../../views/vehicle-row.js';

/** Reads the geofences; null when places are not shown. */
export function readShownPlaces(run: ReportingRun, client: FleetClient): Promise<Places> | null {
  return showsPlaces(run) ? readPlaces(run, client) : null;
}

export function withPlace(vehicle: VehicleRow, places: Places | null, addresses: Addresses = null): PlacedVehicle {
  const place = places === null ? {} : fieldsOfPlace(places.at(positionIn(vehicle.lastData?.gps)));
  return { ...vehicle, ...place, ...addressFieldOf(addresses, vehicle.id) };
}
