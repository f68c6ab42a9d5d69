import { findOperation } from "../contract/find-operation.js";
import { InvalidInputError } from "../core/errors.js";
import { didYouMean } from "../core/suggestions.js";
import { operations } from "../generated/operation-table.js";
function listQueryOf(name) {
  const known = findOperation(name);
  if (known && isListQuery(known)) return known;
  if (known) {
    throw new InvalidInputError(
      `stream reads lists, and ${known.name} does not return one. Call fleet.${known.name}(...).`,
      { operation: known.name }
    );
  }
  const lists = Object.values(operations).filter(isListQuery);
  const hint = typeof name === "string" ? didYouMean(
    name,
    lists.map((one) => one.name)
  ) : void 0;
  throw new InvalidInputError(
    `stream needs the name of a query that returns a list, such as 'getVehicles'.${hint ? ` ${hint}` : ""}`
  );
}
function isListQuery(operation) {
  return operation.kind === "query" && operation.returns.list && !operation.returns.leaf;
}
export {
  listQueryOf
};
