import { decimalText, xmlText } from "./xml-text.js";
const GPX = "http://www.topografix.com/GPX/1/1";
const POINT_EXTENSION = "http://www.garmin.com/xmlschemas/TrackPointExtension/v2";
const head = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="fleet-telematics" xmlns="${GPX}" xmlns:gpxtpx="${POINT_EXTENSION}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${GPX} ${GPX}/gpx.xsd ${POINT_EXTENSION} https://www8.garmin.com/xmlschemas/TrackPointExtensionv2.xsd">
`;
async function* gpxOf(items) {
  let before = head;
  let open = null;
  let hasTracks = false;
  for await (const item of items) {
    const isOpen = open !== null && item.kind === "segment" && open.vehicleId === item.vehicleId;
    if (open !== null && !isOpen) {
      before += "</trk>\n";
      open = null;
    }
    if (item.kind === "segment") {
      if (!isOpen) before += `<trk>
${nameElement(item.name ?? item.vehicleId)}`;
      open = { vehicleId: item.vehicleId };
      before += segment(item);
      hasTracks = true;
    } else if (item.geometry.type === "Point" && !hasTracks) {
      before += waypoint(item, item.geometry.coordinates);
    } else {
      const track = featureTrack(item);
      before += track;
      hasTracks ||= track !== "";
    }
    yield before;
    before = "";
  }
  yield `${before}${open === null ? "" : "</trk>\n"}</gpx>
`;
}
function segment({ fixes }) {
  return `<trkseg>
${fixes.map(trackPoint).join("")}</trkseg>
`;
}
function trackPoint(fix) {
  const { speed, direction } = fix;
  const trackPointExtension = [
    speed === null ? "" : `<gpxtpx:speed>${decimalText(Math.round(speed / 3.6 * 1e3) / 1e3)}</gpxtpx:speed>`,
    direction === null ? "" : `<gpxtpx:course>${decimalText(direction)}</gpxtpx:course>`
  ].join("");
  const extensions = trackPointExtension === "" ? "" : `<extensions><gpxtpx:TrackPointExtension>${trackPointExtension}</gpxtpx:TrackPointExtension></extensions>`;
  const position = fix.altitude === null ? [fix.longitude, fix.latitude] : [fix.longitude, fix.latitude, fix.altitude];
  return `<trkpt ${coordinateAttributes(position)}>${pointContent(position, new Date(fix.time).toISOString())}${extensions}</trkpt>
`;
}
function waypoint({ name, times }, position) {
  return `<wpt ${coordinateAttributes(position)}>${pointContent(position, times?.[0])}${name === null ? "" : `<name>${xmlText(name)}</name>`}</wpt>
`;
}
function featureTrack({ geometry, name, times }) {
  const positions = geometry.type === "LineString" ? geometry.coordinates : geometry.type === "Point" ? [geometry.coordinates] : [];
  if (positions.length === 0) return "";
  const points = positions.map(
    (position, place) => `<trkpt ${coordinateAttributes(position)}>${pointContent(position, times?.[place])}</trkpt>
`
  );
  return `<trk>
${nameElement(name)}<trkseg>
${points.join("")}</trkseg>
</trk>
`;
}
function coordinateAttributes([longitude = 0, latitude = 0]) {
  return `lat="${decimalText(latitude)}" lon="${decimalText(longitude === 180 ? -180 : longitude)}"`;
}
function pointContent([, , altitude], time) {
  const elevation = altitude === void 0 ? "" : `<ele>${decimalText(altitude)}</ele>`;
  return `${elevation}${time === void 0 ? "" : `<time>${time}</time>`}`;
}
function nameElement(name) {
  return name === null ? "" : `<name>${xmlText(name)}</name>
`;
}
export {
  gpxOf
};
