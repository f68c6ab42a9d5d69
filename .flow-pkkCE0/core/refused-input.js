import { messageOf } from "./error-messages.js";
import { InvalidInputError } from "./errors.js";
function refusedInput(problem, operation = null, undone = "sent") {
  const facts = { kind: "refusedInput", problem, undone };
  const call = { operation, facts };
  return new InvalidInputError(messageOf(facts, call), call);
}
export {
  refusedInput
};
