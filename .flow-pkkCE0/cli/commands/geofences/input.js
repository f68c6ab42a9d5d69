import { InvalidArgumentError } from "commander";
import { refusal } from "../../errors/cli-error.js";
import { areaOf, isFlaw } from "../../geofences/area.js";
import { areaOfFeature } from "../../geofences/import-map.js";
import { readMap } from "../../geofences/read-map.js";
import { zippedMap } from "../../geofences/unusable-map.js";
import { readContent } from "../../input/load-input.js";
import { distance } from "../../parse/distance.js";
import { parsePosition } from "../../parse/position.js";
function addGeofenceFlags(command) {
  command.option("--name <text>", "its name").option("--color <color>", "its color on the map, such as #1F77B4", color).option("--description <text>", "its description").option("--type <text>", "its type, such as DEPOT").option("--geojson <file>", "its shape: a GeoJSON polygon, multipolygon, point, or feature of one (- for stdin)").option("--at <position>", "its centre, such as 58.38,26.72 (latitude first): a circle of --radius").option("--radius <distance>", "make points circles of this radius, such as 200m or 1.5km", distance);
}
function color(value) {
  if (/^#[0-9a-f]{6}$/i.test(value) || /^[a-z]+$/i.test(value)) return value;
  throw new InvalidArgumentError("Write it as #1F77B4 (in quotes), or as a word.");
}
async function geofenceMembers(run, flags) {
  const { name, color: color2, description, type } = flags;
  const members = { name, color: color2, description, type };
  const circle = circleAt(flags);
  if (circle !== void 0) return { ...members, geojson: circle };
  const hasShape = flags.geojson !== void 0 || flags.input !== void 0;
  if (flags.radius !== void 0 && !hasShape) {
    throw refusal("--radius needs a point to make a circle around.", {
      hint: "Give the point with --at or --geojson; `fleet geofences import` takes several."
    });
  }
  if (flags.geojson === void 0) return members;
  const features = await readFeatures(run, flags.geojson);
  const [only] = features;
  if (features.length > 1 || only === void 0) {
    throw refusal(`The file has ${features.length} features, but a geofence needs exactly one.`, {
      hint: "`fleet geofences import <file>` creates a geofence from each."
    });
  }
  return { ...members, geojson: shapeIn(only, flags.radius) };
}
function circleAt({ at, radius, geojson }) {
  if (at === void 0) return void 0;
  if (geojson !== void 0) throw refusal("--at and --geojson are two shapes.", { hint: "Leave out one of them." });
  const position = parsePosition(at);
  if (position === null) {
    throw refusal(`--at "${at}" is not a position.`, { hint: "Write latitude and longitude, such as 58.38,26.72." });
  }
  if (radius === void 0) throw refusal("--at needs --radius.", { hint: "For example --radius 200m." });
  return shapeIn(pointAt(position), radius);
}
function shapeIn(feature, radius) {
  if (radius === void 0) return feature.geometry;
  const area = areaOfFeature(feature, radius);
  if (isFlaw(area)) throw unusable("", area);
  return area;
}
async function readFeatures(run, file) {
  const content = await readContent(run, file, void 0);
  if ("workbook" in content) throw zippedMap();
  return readMap(content.text);
}
const circleMembers = {
  more: [
    { name: "latitude", type: "Float" },
    { name: "longitude", type: "Float" },
    { name: "radius", type: "String", unit: "m" }
  ]
};
const circleColumns = {
  ...circleMembers,
  columns: { lat: "latitude", lon: "longitude", lng: "longitude", long: "longitude" }
};
function circleIn(members, fallback, where) {
  const { latitude, longitude, radius, ...others } = members;
  if (latitude === void 0 && longitude === void 0 && radius === void 0) return members;
  const wrong = (problem, hint) => refusal(`${where}${problem}`, { hint });
  if (others.geojson !== void 0) {
    throw wrong("It has a shape, geojson, and a centre too.", "Leave out one of them.");
  }
  if (typeof latitude !== "number" || typeof longitude !== "number") {
    throw wrong("A circle needs latitude and longitude, in degrees.", "Such as 58.38 and 26.72.");
  }
  const metres = radius === void 0 || radius === null ? fallback : metresOf(radius, where);
  if (metres === void 0)
    throw wrong("The radius is missing.", 'Give it as "radius", such as 200m, or with --radius 200m.');
  const area = areaOfFeature(pointAt({ latitude, longitude }), metres);
  if (isFlaw(area)) throw unusable(where, area);
  return { ...others, geojson: area };
}
function metresOf(radius, where) {
  try {
    return distance(String(radius).replace(/^(\d+),(\d+)/, "$1.$2"));
  } catch {
    throw refusal(`${where}radius is no distance.`, { hint: "Write it as 200m or 1.5km; a number alone is metres." });
  }
}
function pointAt({ latitude, longitude }) {
  return { id: null, geometry: { type: "Point", coordinates: [longitude, latitude] }, properties: {} };
}
function refineShape(input, where) {
  const { geojson } = input;
  if (geojson === void 0 || geojson === null) return { ...input };
  const area = areaOf(geojson);
  if (!isFlaw(area)) return { ...input, geojson: area };
  throw unusable(where, area);
}
function unusable(where, { problem, hint }) {
  return refusal(`${where}The shape cannot be used: ${problem}.`, { hint });
}
export {
  addGeofenceFlags,
  circleColumns,
  circleIn,
  circleMembers,
  geofenceMembers,
  refineShape
};
