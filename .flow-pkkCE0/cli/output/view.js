const mapFormats = ["geojson", "gpx", "kml"];
export {
  mapFormats
};
