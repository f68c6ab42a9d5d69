// Decides whether a command needs places or addresses, so that they are not read for nothing.
import type { Run } from '../context/context.js';
import { formatOf } from '../context/print.js';
import { isFieldNamed } from '../shape/named-fields.js';
import { placeFields } from '../views/place.js';

/** Returns true when the output has these fields: tables by default, programs on request. */
export function showsPlaces(run: Run, names: readonly string[] = placeFields): boolean {
  const { fields } = run.globals;
  return (fields === undefined && formatOf(run).forPeople) || isFieldNamed(run, names);
}
