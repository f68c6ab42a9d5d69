import { printableName } from "../core/printable-name.js";
import { closestNames } from "../core/suggestions.js";
import { inputMap } from "../generated/input-map.js";
function inputSlips(path, type, value) {
  if (typeof value !== "object" || value === null) return [];
  const members = membersOf(type);
  if (members.size === 0) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => inputSlips(`${path}[${at}]`, type, item));
  return Object.entries(value).flatMap(([name, below]) => {
    const at = `${path}.${printableName(name)}`;
    const memberType = members.get(name);
    if (memberType !== void 0) return inputSlips(at, memberType, below);
    const meant = closestNames(name, members.keys()).filter((known) => !Object.hasOwn(value, known));
    return meant.length > 0 ? [{ path: at, meant }] : [];
  });
}
function membersOf(type) {
  const name = type.replace(/[[\]!]/g, "");
  const text = Object.hasOwn(inputMap, name) ? inputMap[name] : void 0;
  return new Map(
    (text?.split(" ") ?? []).map((member) => {
      const [key = "", memberType = ""] = member.split(":");
      return [key, memberType];
    })
  );
}
export {
  inputSlips
};
