import { decimalText, xmlText } from "./xml-text.js";
const head = `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
<Document>
<Schema id="track"><gx:SimpleArrayField name="speed" type="float"><displayName>Speed (km/h)</displayName></gx:SimpleArrayField></Schema>
`;
async function* kmlOf(items) {
  let before = head;
  for await (const item of items) {
    yield `${before}<Placemark>${item.kind === "segment" ? segment(item) : feature(item)}</Placemark>
`;
    before = "";
  }
  yield `${before}</Document>
</kml>
`;
}
function segment({ name, vehicleId, number, fixes }) {
  const title = name ?? vehicleId;
  const parts = [
    title === null ? "" : `<name>${xmlText(title)}</name>`,
    timeSpan(timeText(fixes[0]), timeText(fixes.at(-1))),
    extendedData({ vehicleId, segment: number }),
    "<gx:Track>\n",
    ...fixes.map((fix) => `<when>${timeText(fix)}</when>
`),
    ...fixes.map(
      (fix) => `<gx:coord>${[fix.longitude, fix.latitude, ...presentOrNone(fix.altitude)].map(decimalText).join(" ")}</gx:coord>
`
    )
  ];
  if (fixes.some(({ direction }) => direction !== null)) {
    const angles = ({ direction }) => direction === null ? "<gx:angles/>" : `<gx:angles>${decimalText(direction)} 0 0</gx:angles>`;
    parts.push(...fixes.map((fix) => `${angles(fix)}
`));
  }
  if (fixes.some(({ speed }) => speed !== null)) {
    const value = ({ speed }) => speed === null ? "<gx:value/>" : `<gx:value>${decimalText(speed)}</gx:value>`;
    const values = fixes.map((fix) => `${value(fix)}
`).join("");
    parts.push(
      `<ExtendedData><SchemaData schemaUrl="#track"><gx:SimpleArrayData name="speed">
${values}</gx:SimpleArrayData></SchemaData></ExtendedData>
`
    );
  }
  return `${parts.join("")}</gx:Track>`;
}
function feature({ name, geometry, times, properties }) {
  const { description, color, ...rest } = properties;
  return [
    name === null ? "" : `<name>${xmlText(name)}</name>`,
    typeof description === "string" && description !== "" ? `<description>${xmlText(description)}</description>` : "",
    times === void 0 ? "" : geometry.type === "Point" ? timeStamp(times[0]) : timeSpan(times[0], times.at(-1)),
    style(color),
    extendedData(typeof color === "string" ? { color, ...rest } : rest),
    geometryElement(geometry)
  ].join("");
}
function style(color) {
  const [, red, green, blue] = typeof color === "string" && /^#(..)(..)(..)$/.exec(color) || [];
  if (red === void 0 || !/^[0-9a-f]{6}$/i.test(`${red}${green}${blue}`)) return "";
  const text = `${blue}${green}${red}`.toLowerCase();
  return `<Style><LineStyle><color>ff${text}</color></LineStyle><PolyStyle><color>66${text}</color></PolyStyle></Style>`;
}
function extendedData(properties) {
  const data = Object.entries(properties).flatMap(([name, value]) => {
    if (value === null || value === void 0 || value === "") return [];
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    return [`<Data name="${xmlText(name)}"><value>${xmlText(text)}</value></Data>`];
  });
  return data.length === 0 ? "" : `<ExtendedData>${data.join("")}</ExtendedData>`;
}
function geometryElement(geometry) {
  switch (geometry.type) {
    case "Point":
      return `<Point>${coordinates([geometry.coordinates])}</Point>`;
    case "LineString":
      return `<LineString><tessellate>1</tessellate>${coordinates(geometry.coordinates)}</LineString>`;
    case "Polygon":
      return polygon(geometry.coordinates);
    case "MultiPoint":
      return multiGeometry(geometry.coordinates.map((position) => `<Point>${coordinates([position])}</Point>`));
    case "MultiLineString":
      return multiGeometry(geometry.coordinates.map((line) => `<LineString>${coordinates(line)}</LineString>`));
    case "MultiPolygon":
      return multiGeometry(geometry.coordinates.map(polygon));
    case "GeometryCollection":
      return multiGeometry(geometry.geometries.map(geometryElement));
  }
}
function polygon([outer = [], ...holes]) {
  const ring = (name, positions) => `<${name}><LinearRing>${coordinates(positions)}</LinearRing></${name}>`;
  return `<Polygon>${ring("outerBoundaryIs", outer)}${holes.map((hole) => ring("innerBoundaryIs", hole)).join("")}</Polygon>`;
}
function multiGeometry(geometries) {
  return `<MultiGeometry>${geometries.join("")}</MultiGeometry>`;
}
function coordinates(positions) {
  const texts = positions.map((position) => position.slice(0, 3).map(decimalText).join(","));
  return `<coordinates>${texts.join(" ")}</coordinates>`;
}
function timeStamp(time) {
  return time === void 0 ? "" : `<TimeStamp><when>${time}</when></TimeStamp>`;
}
function timeSpan(begin, end) {
  if (begin === void 0 || end === void 0) return "";
  return `<TimeSpan><begin>${begin}</begin><end>${end}</end></TimeSpan>`;
}
function timeText(fix) {
  return fix && new Date(fix.time).toISOString();
}
function presentOrNone(value) {
  return value === null ? [] : [value];
}
export {
  kmlOf
};
