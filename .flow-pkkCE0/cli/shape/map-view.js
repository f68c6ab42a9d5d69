import { formatOf } from "../context/print.js";
import { CliError } from "../errors/cli-error.js";
function mapViewFor(run, { map, chart }) {
  const { map: format, chart: isChart } = formatOf(run);
  if (isChart && chart === void 0) {
    throw new CliError("USAGE", "This command cannot draw a chart.", {
      hint: "Charts show sums: `fleet trips list --sum-by vehicle -o chart`, or the rows of a report."
    });
  }
  if (format === null) return null;
  if (map?.formats.includes(format)) return map;
  throw new CliError("USAGE", `This command cannot print ${format}.`, {
    hint: map ? `The map formats of this command are ${map.formats.join(" and ")}.` : "Map formats print vehicles, geofences, snapshots and trips; use json, yaml, csv or another format here."
  });
}
export {
  mapViewFor
};
