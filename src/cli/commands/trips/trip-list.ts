// How trips are listed: their stream, and the places of their start and end.
import type { Trip, TripOptions } from '../../../index.js';
import { type Places, positionIn } from '../../places/places.js';
import { fieldsOfPlace } from '../../views/place.js';
import { fleetTripView, placesOfTrip, type TripRow, tripView } from '../../views/trip.js';
import type { ActivityList } from '../shared/list-activities.js';

export function tripList(options: TripOptions): ActivityList<Trip, TripRow> {
  return {
    ...{ noun: 'trip', view: tripView, fleetView: fleetTripView, places: placesOfTrip, placesIn },
    stream: (client, period, call) =>
      'vehicleId' in period
        ? client.streamTrips(period, { ...options, ...call })
        : client.streamTrips(period, { ...options, ...call }),
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
