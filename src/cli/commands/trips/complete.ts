// Adds to trips what they have only as ids and coordinates: the names of vehicles and drivers, and the places of their start and end.
import type { FleetClient, Trip } from '../../../index.js';
import type { ReportingRun, Run } from '../../context/context.js';
import { formatOf } from '../../context/print.js';
import { type DriversAndPlaces, readDriversAndPlaces } from '../../places/drivers-and-places.js';
import { type Places, positionIn } from '../../places/places.js';
import { isAsked } from '../../shape/asked.js';
import { fieldsOfPlace } from '../../views/place.js';
import { placesOfTrip, type TripRow } from '../../views/trip.js';

/** What is added to each trip. */
export interface TripNeeds {
  readonly vehicle: boolean;
  readonly driver: boolean;
  readonly places: boolean;
}

/** `byDefault`: names and places are printed when the user names no fields. */
export function tripNeeds(run: Run, byDefault: boolean): TripNeeds {
  const all = byDefault && run.globals.fields === undefined;
  const asked = (names: readonly string[]) => isAsked(run, names);
  // On a map, a trip is named after its vehicle.
  const isMap = formatOf(run).map !== null;
  return { vehicle: isMap || asked(['vehicle']), driver: all || asked(['driver']), places: all || asked(placesOfTrip) };
}

/** Reads names and places with the first trip: a period without trips needs none. */
export async function* completeTrips(
  run: ReportingRun,
  client: FleetClient,
  trips: AsyncIterable<Trip>,
  needs: TripNeeds,
  vehicleOf: (vehicleId: string) => string,
): AsyncGenerator<TripRow, void, undefined> {
  let known: DriversAndPlaces | null = null;
  for await (const trip of trips) {
    known ??= await readDriversAndPlaces(run, client, needs);
    yield completeTrip(trip, known, needs, vehicleOf);
  }
}

export function completeTrip(
  trip: Trip,
  { names, places }: DriversAndPlaces,
  needs: TripNeeds,
  vehicleOf: (vehicleId: string) => string,
): TripRow {
  return {
    ...(needs.vehicle ? { vehicle: vehicleOf(trip.vehicleId) } : {}),
    ...(needs.driver ? { driver: trip.driverIds.map((id) => names.get(id) ?? id).join(', ') } : {}),
    ...trip,
    ...(needs.places ? placesIn(trip, places) : {}),
  };
}

function placesIn({ startPosition, endPosition }: Trip, places: Places): Partial<TripRow> {
  const start = fieldsOfPlace(places.at(positionIn(startPosition)));
  const end = fieldsOfPlace(places.at(positionIn(endPosition)));
  return {
    startPlace: start.place,
    startNearestPlace: start.nearestPlace,
    startNearestPlaceDistanceM: start.nearestPlaceDistanceM,
    startNearestPlaceDirection: start.nearestPlaceDirection,
    endPlace: end.place,
    endNearestPlace: end.nearestPlace,
    endNearestPlaceDistanceM: end.nearestPlaceDistanceM,
    endNearestPlaceDirection: end.nearestPlaceDirection,
  };
}
