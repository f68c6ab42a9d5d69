const plain = {
  forPeople: false,
  wholeValues: false,
  streamable: false,
  jsonIndent: null,
  map: null,
  binary: false,
  chart: false,
  redrawable: false
};
const formats = {
  table: {
    ...plain,
    forPeople: true,
    redrawable: true,
    endings: ["txt"],
    load: async () => (await import("./table.js")).table
  },
  tsv: { ...plain, streamable: true, endings: ["tsv"], load: async () => (await import("./tsv.js")).tsv },
  json: {
    ...plain,
    wholeValues: true,
    jsonIndent: 2,
    endings: ["json"],
    load: async () => (await import("./json.js")).json
  },
  ndjson: {
    ...plain,
    wholeValues: true,
    streamable: true,
    jsonIndent: 0,
    endings: ["ndjson", "jsonl"],
    load: async () => (await import("./ndjson.js")).ndjson
  },
  csv: { ...plain, streamable: true, endings: ["csv"], load: async () => (await import("./csv.js")).csv },
  xlsx: { ...plain, binary: true, endings: ["xlsx"], load: async () => (await import("./xlsx.js")).xlsx },
  html: { ...plain, forPeople: true, endings: ["html", "htm"], load: async () => (await import("./html.js")).html },
  chart: { ...plain, forPeople: true, chart: true, endings: [], load: async () => (await import("./chart.js")).chart },
  yaml: { ...plain, wholeValues: true, endings: ["yaml", "yml"], load: async () => (await import("./yaml.js")).yaml },
  geojson: { ...plain, map: "geojson", endings: ["geojson"], load: async () => (await import("./maps.js")).geojson },
  gpx: { ...plain, map: "gpx", endings: ["gpx"], load: async () => (await import("./maps.js")).gpx },
  kml: { ...plain, map: "kml", endings: ["kml"], load: async () => (await import("./maps.js")).kml }
};
const formatNames = Object.keys(formats).filter(isFormatName);
function isFormatName(name) {
  return Object.hasOwn(formats, name);
}
function traitsOf(name) {
  return formats[name];
}
function formatOfFileName(file) {
  const ending = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? "";
  return formatNames.find((name) => traitsOf(name).endings.includes(ending)) ?? null;
}
function isDocument({ wholeValues, streamable }) {
  return wholeValues && !streamable;
}
export {
  formatNames,
  formatOfFileName,
  isDocument,
  isFormatName,
  traitsOf
};
