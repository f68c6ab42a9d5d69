// Whether a command names the places of its rows, so that geofences are read only for those who see them.
import type { Run } from '../context/context.js';
import { formatOf } from '../context/print.js';
import { isAsked } from '../shape/asked.js';
import { placeFields } from '../views/place.js';

/** Tables show places beside positions; programs ask for their fields. */
export function showsPlaces(run: Run): boolean {
  const { fields } = run.globals;
  return (fields === undefined && formatOf(run).forPeople) || isAsked(run, placeFields);
}
