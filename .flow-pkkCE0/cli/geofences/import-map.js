import { isObject } from "../../core/json.js";
import { firstOf } from "../errors/unusable.js";
import { areaOf, isFlaw } from "./area.js";
import { circleAround } from "./circle.js";
import { unusableMap } from "./unusable-map.js";
const nameFields = ["name", "Name", "NAME", "title", "label"];
function inputsOf(features, flags) {
  const flaws = [];
  const inputs = features.map((feature, index) => {
    const name = nameOf(feature, flags.nameField);
    const where = `feature ${index + 1}${name === null ? "" : ` "${name}"`}`;
    const area = areaOfFeature(feature, flags.radius);
    if (isFlaw(area)) flaws.push({ ...area, where });
    else if (name === null) flaws.push({ ...withoutName(feature, flags.nameField), where });
    return { name, geojson: area, ...describedBy(feature) };
  });
  const [first] = flaws;
  if (!first) return inputs;
  const lines = flaws.map(({ where, problem }) => `${where}: ${problem}`);
  const reason = features.length === 1 ? first.problem : `${flaws.length} of its ${features.length} features cannot become geofences`;
  const hints = [...new Set(flaws.map(({ hint }) => hint))].slice(0, 3).join(" ");
  throw unusableMap(reason, hints, features.length === 1 ? [] : firstOf(lines));
}
function areaOfFeature({ geometry, properties }, radius) {
  if (properties["@geometry-type"] === "networklink") {
    return { problem: "it is a link to another file", hint: "Give that file, or remove the NetworkLink." };
  }
  const point = pointOf(geometry);
  if (radius === void 0 || point === null) return areaOf(geometry);
  const [longitude, latitude] = point;
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) {
    return { problem: "its position is out of range", hint: "A position is [longitude, latitude] in degrees." };
  }
  return circleAround(longitude, latitude, radius) ?? {
    problem: "the circle would reach over a pole or the 180th meridian",
    hint: "Give a smaller --radius, or draw the area as polygons."
  };
}
function pointOf(geometry) {
  if (!isObject(geometry) || geometry.type !== "Point") return null;
  const { coordinates } = geometry;
  const [longitude, latitude] = Array.isArray(coordinates) ? coordinates : [];
  return typeof longitude === "number" && typeof latitude === "number" ? [longitude, latitude] : null;
}
function nameOf({ properties }, field) {
  for (const candidate of field === void 0 ? nameFields : [field]) {
    const value = properties[candidate];
    if (typeof value === "number") return String(value);
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return null;
}
function withoutName({ properties }, field) {
  const problem = field === void 0 ? "it has no name" : `it has no "${field}"`;
  const names = Object.keys(properties);
  return {
    problem,
    hint: names.length === 0 ? 'Give --name when it is the only feature, or add a "name" property to each feature.' : `Give the property with the name as --name-field; the properties are ${names.slice(0, 12).join(", ")}.`
  };
}
function describedBy({ properties }) {
  const text = (...names) => names.map((name) => textIn(properties[name])).find((value) => value !== null);
  const address = Object.fromEntries(
    addressMembers.flatMap((member) => {
      const value = text(`address.${member}`) ?? textIn(memberOf(properties.address, member));
      return value === null ? [] : [[member, value]];
    })
  );
  const plainAddress = textIn(properties.address);
  const members = {
    // The description is an object when the KML has it in CDATA.
    description: text("description", "desc") ?? textIn(memberOf(properties.description, "value")) ?? void 0,
    color: text("color", "fill", "stroke"),
    type: text("type"),
    phone: text("phone", "phoneNumber"),
    email: text("email"),
    displayNameAsAddress: flagIn(properties.displayNameAsAddress),
    address: Object.keys(address).length > 0 ? address : plainAddress === null ? void 0 : { address: plainAddress }
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== void 0));
}
const addressMembers = ["address", "postalCode", "city", "region", "country", "countryCode"];
function memberOf(value, name) {
  return isObject(value) ? value[name] : void 0;
}
function textIn(value) {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}
function flagIn(value) {
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : void 0;
}
export {
  areaOfFeature,
  inputsOf
};
