import { geoJsonOf } from "../../telemetry/tracks/geojson.js";
import { gpxOf } from "../../telemetry/tracks/gpx.js";
import { kmlOf } from "../../telemetry/tracks/kml.js";
import { defaultSegmentRules, segmentsOf } from "../../telemetry/tracks/segments.js";
import { CliError } from "../errors/cli-error.js";
import { escapeControls } from "../io/plain-text.js";
import { valueAt } from "./field-path.js";
import { isTerminal } from "./render-options.js";
function mapFormat(name, write, escapeText) {
  async function* rows(source, view, options) {
    const skipped = { count: 0 };
    const names = /* @__PURE__ */ new Map();
    const trackRules = { ...defaultSegmentRules, nameOf: (vehicleId) => names.get(vehicleId) ?? null };
    const features = featuresOf(source, view, skipped, names);
    for await (const text of write(segmentsOf(features, trackRules))) yield escapeText(text, options);
    if (view.map?.isTrack === true && !isTerminal(options)) return;
    if (skipped.count === 1) options.note("1 row has no usable position and is left out.");
    else if (skipped.count > 1) options.note(`${skipped.count} rows have no usable position and are left out.`);
  }
  return { rows, record: (record, view, options) => rows([record], view, options) };
  async function* featuresOf(source, view, skipped, names) {
    const { map } = view;
    if (!map) throw new CliError("USAGE", `This command cannot print ${name}.`, { hint: "Leave out -o." });
    for await (const row of source) {
      const track = map.trackOf?.(row);
      if (track) names.set(track.vehicleId, track.name);
      const feature = map.featureOf(row);
      if (feature === null) skipped.count++;
      else if ("geometry" in feature) {
        yield { kind: "feature", ...feature, properties: propertiesOf(row, view.fields, [...map.position, "name"]) };
      } else yield feature;
    }
  }
}
function propertiesOf(row, fields, excluded) {
  return Object.fromEntries(
    fields.filter((field) => !excluded.includes(field)).map((field) => [field, valueAt(row, field)])
  );
}
function escapeJson(text, options) {
  if (isTerminal(options)) return text.split("\n").map(escapeControls).join("\n");
  return text.replace(/[\u007f-\u009f]/g, escapeControls);
}
const geojson = mapFormat("geojson", geoJsonOf, escapeJson);
const gpx = mapFormat("gpx", gpxOf, (text) => text);
const kml = mapFormat("kml", kmlOf, (text) => text);
export {
  geojson,
  gpx,
  kml
};
