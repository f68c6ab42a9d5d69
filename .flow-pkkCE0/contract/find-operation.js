import { refusedInput } from "../core/refused-input.js";
import { didYouMean } from "../core/suggestions.js";
import { operations } from "../generated/operation-table.js";
const all = operations;
function findOperation(name) {
  return typeof name === "string" && Object.hasOwn(all, name) ? all[name] : void 0;
}
function operationOf(name) {
  const known = findOperation(name);
  if (known) return known;
  const hint = typeof name === "string" ? didYouMean(name, Object.keys(all)) : void 0;
  throw refusedInput(`call needs the name of an operation, such as 'getVehicles'.${hint ? ` ${hint}` : ""}`);
}
export {
  findOperation,
  operationOf
};
