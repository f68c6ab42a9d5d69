import { CliError } from "./cli-error.js";
import { messagesOf, shortMessageOf } from "./exit-codes.js";
function isOfMissing({ code }) {
  return code === "PARTIAL_DATA" || code === "NULL_ROWS" || code === "NULL_LIST";
}
function partialResultOf({ operation, errors, message }) {
  if (errors === void 0) return { operation, messages: [message] };
  return { operation, messages: messagesOf(errors), reason: shortMessageOf(errors) };
}
function incomplete({ operation, messages }) {
  return new CliError("GRAPHQL", "The service could not deliver everything.", {
    operation,
    details: messages,
    hint: "What did arrive has been printed."
  });
}
export {
  incomplete,
  isOfMissing,
  partialResultOf
};
