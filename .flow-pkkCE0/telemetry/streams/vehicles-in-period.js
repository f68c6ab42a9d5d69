import { isObject } from "../../core/json.js";
import { printableName } from "../../core/printable-name.js";
import { refusedInput } from "../../core/refused-input.js";
import { operations } from "../../generated/operation-table.js";
import { mismatchOf } from "../../request/variable-types.js";
import { checkVariables } from "../../request/variables.js";
import { readPeriod } from "../period.js";
const { args } = operations.getSnapshots;
const LISTS = ["vehicleIds", "vehicles"];
function isOfMany(variables) {
  if (!isObject(variables)) return false;
  const given = givenNames(variables);
  if (LISTS.some((list) => given.includes(list))) return true;
  return !given.includes("vehicleId") && LISTS.some((list) => list in variables);
}
function readVehicles(caller, variables) {
  if (!isOfMany(variables)) {
    checkVariables(caller, args, isObject(variables) ? withoutLists(variables) : variables);
    const { vehicleId, from, to } = variables;
    return { vehicles: [{ vehicleId, period: readPeriod(caller, from, to) }], only: vehicleId };
  }
  const vehicles = (variables.vehicles ?? null) === null ? withSamePeriod(caller, variables) : withOwnPeriods(caller, variables);
  return { vehicles, only: null };
}
function withSamePeriod(caller, variables) {
  const { vehicleIds, from, to, ...others } = variables;
  const [other] = givenNames(others);
  if (other !== void 0) {
    throw refusedInput(
      `${caller} was given vehicleIds and ${printableName(other)}. With vehicleIds it takes nothing but from and to.`,
      caller
    );
  }
  if (!Array.isArray(vehicleIds) || vehicleIds.length === 0) {
    throw refusedInput(`vehicleIds of ${caller} must be a list of ids that is not empty.`, caller);
  }
  const period = readPeriod(caller, from, to);
  const places = /* @__PURE__ */ new Map();
  const ids = Array.from(vehicleIds, (given, at) => {
    const vehicleId = readId(caller, `vehicleIds[${at}]`, given);
    const before = places.get(vehicleId.toLowerCase());
    if (before !== void 0 && vehicleIds[before] !== vehicleId) {
      throw refusedInput(`${sameVehicle(caller, "vehicleIds", at, before)}, in another letter case.`, caller);
    }
    places.set(vehicleId.toLowerCase(), before ?? at);
    return vehicleId;
  });
  return [...new Set(ids)].map((vehicleId) => ({ vehicleId, period }));
}
function withOwnPeriods(caller, variables) {
  const { vehicles, to, ...others } = variables;
  const [other] = givenNames(others);
  if (other !== void 0) {
    throw refusedInput(
      `${caller} was given vehicles and ${printableName(other)}. With vehicles it takes nothing but to; each vehicle has a vehicleId and a from of its own.`,
      caller
    );
  }
  if (!Array.isArray(vehicles) || vehicles.length === 0) {
    throw refusedInput(
      `vehicles of ${caller} must be a list of objects with vehicleId and from that is not empty.`,
      caller
    );
  }
  const places = /* @__PURE__ */ new Map();
  return Array.from(vehicles, (vehicle, at) => {
    const read = readVehicle(caller, `vehicles[${at}]`, vehicle, to);
    const id = read.vehicleId.toLowerCase();
    const before = places.get(id);
    if (before !== void 0) throw refusedInput(`${sameVehicle(caller, "vehicles", at, before)}.`, caller);
    places.set(id, at);
    return read;
  });
}
function sameVehicle(caller, list, at, before) {
  return `${list}[${at}] of ${caller} is the same vehicle as ${list}[${before}]`;
}
function readVehicle(caller, path, vehicle, to) {
  if (!isObject(vehicle)) throw refusedInput(`${path} of ${caller} must be an object with vehicleId and from.`, caller);
  const { vehicleId, from, ...others } = vehicle;
  const [other] = givenNames(others);
  if (other !== void 0) {
    throw refusedInput(
      `${path} of ${caller} has no member ${printableName(other)}. It takes vehicleId and from.`,
      caller
    );
  }
  return {
    vehicleId: readId(caller, `${path}.vehicleId`, vehicleId),
    period: readPeriod(caller, from, to, `${path}.`)
  };
}
function readId(caller, path, id) {
  const mismatch = mismatchOf(path, "UUID!", id);
  if (mismatch === null && typeof id === "string") return id;
  throw refusedInput(`${path} of ${caller} must be ${mismatch?.expected ?? "text"}.`, caller);
}
function givenNames(members) {
  return Object.entries(members).flatMap(([name, value]) => (value ?? null) === null ? [] : [name]);
}
function withoutLists(variables) {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !LISTS.includes(name)));
}
export {
  isOfMany,
  readVehicles
};
