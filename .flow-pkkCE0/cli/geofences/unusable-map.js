import { unusable } from "../errors/unusable.js";
function unusableMap(reason, hint, details = []) {
  return unusable("file", reason, { undone: "sent", hint, details });
}
function zippedMap() {
  return unusableMap("it is a ZIP archive", "A KMZ file contains a KML file: unpack it and give that one.");
}
export {
  unusableMap,
  zippedMap
};
