// Whether rows can be printed as a map, which is told before anything is sent.
import { CliError } from '../errors/cli-error.js';
import { isMapFormat, type Place, type View } from '../output/format.js';
import { type Context, formatOf } from '../run/context.js';

/** How the rows of a view become places; null when no map is asked for. @throws CliError USAGE when the view has none. */
export function placeFor<Row>(context: Context, view: Pick<View<Row>, 'place'>): Place<Row> | null {
  const format = formatOf(context);
  if (!isMapFormat(format)) return null;
  const { place } = view;
  if (place?.formats.includes(format)) return place;
  throw new CliError('USAGE', `This command cannot print ${format}.`, {
    hint: place
      ? `For a map it prints ${place.formats.join(' or ')}.`
      : 'Maps are made of vehicles, geofences, snapshots and trips; here use json, yaml, csv or another format.',
  });
}
