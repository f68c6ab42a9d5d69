// Checks, before anything is sent, that rows can be printed in a map format or as a chart.
import type { Run } from '../context/context.js';
import { formatOf } from '../context/print.js';
import { CliError } from '../errors/cli-error.js';
import type { MapView, View } from '../output/view.js';

/** Returns the map view for a map format. Throws CliError USAGE when the view has none. */
export function mapViewFor<Row>(run: Run, { map, chart }: Pick<View<Row>, 'map' | 'chart'>): MapView<Row> | null {
  const { map: format, chart: isChart } = formatOf(run);
  if (isChart && chart === undefined) {
    throw new CliError('USAGE', 'This command cannot draw a chart.', {
      hint: 'Charts show sums: `fleet trips list --sum-by vehicle -o chart`, or the rows of a report.',
    });
  }
  if (format === null) return null;
  if (map?.formats.includes(format)) return map;
  throw new CliError('USAGE', `This command cannot print ${format}.`, {
    hint: map
      ? `The map formats of this command are ${map.formats.join(' and ')}.`
      : 'Map formats print vehicles, geofences, snapshots and trips; use json, yaml, csv or another format here.',
  });
}
