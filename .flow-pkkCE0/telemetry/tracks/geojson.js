import { cutAtAntimeridian } from "./antimeridian.js";
async function* geoJsonOf(items) {
  let separator = '{"type":"FeatureCollection","features":[\n';
  let hasItems = false;
  for await (const item of items) {
    yield separator + JSON.stringify(item.kind === "segment" ? segmentFeature(item) : feature(item));
    separator = ",\n";
    hasItems = true;
  }
  yield hasItems ? "\n]}\n" : `${separator}]}
`;
}
function feature({ id, geometry, name, times, properties }) {
  const named = { ...name === null ? {} : { name }, ...properties };
  const ids = id === void 0 ? {} : { id };
  if (geometry.type === "LineString" && times !== void 0) {
    const line = cutLine(geometry.coordinates, (index) => Date.parse(times[index] ?? ""));
    const coordTimes = line.eachOf(({ index, time: time2 }, isCut) => isCut ? textOf(time2) : times[index]);
    return { type: "Feature", ...ids, geometry: line.geometry, properties: { ...named, coordTimes } };
  }
  const time = times === void 0 ? {} : geometry.type === "Point" ? { time: times[0] } : { coordTimes: times };
  return { type: "Feature", ...ids, geometry, properties: { ...named, ...time } };
}
function cutLine(coordinates, timeOf) {
  const lines = cutAtAntimeridian(coordinates, timeOf);
  const isOne = lines.length === 1;
  const eachOf = (read) => {
    const values = lines.map((line) => line.map((place) => read(place, place.position !== coordinates[place.index])));
    return isOne ? values[0] ?? [] : values;
  };
  const positions = lines.map((line) => line.map(({ position }) => position));
  const geometry = isOne ? { type: "LineString", coordinates: positions[0] ?? [] } : { type: "MultiLineString", coordinates: positions };
  return { geometry, eachOf };
}
function textOf(time) {
  return new Date(time).toISOString();
}
function segmentFeature({ vehicleId, name, number, fixes }) {
  const coordinates = fixes.map(positionOf);
  const [only] = coordinates;
  const line = cutLine(coordinates, (index) => fixes[index]?.time ?? 0);
  const geometry = only !== void 0 && coordinates.length === 1 ? { type: "Point", coordinates: only } : line.geometry;
  const properties = {
    vehicleId,
    ...name === null ? {} : { name },
    segment: number,
    startedAt: textOf(fixes[0]?.time ?? 0),
    endedAt: textOf(fixes.at(-1)?.time ?? 0),
    coordTimes: line.eachOf(({ time }) => textOf(time)),
    speeds: line.eachOf(({ index }) => fixes[index]?.speed ?? null),
    directions: line.eachOf(({ index }) => fixes[index]?.direction ?? null)
  };
  return { type: "Feature", geometry, properties };
}
function positionOf({
  longitude,
  latitude,
  altitude
}) {
  return altitude === null ? [longitude, latitude] : [longitude, latitude, altitude];
}
export {
  geoJsonOf,
  positionOf
};
