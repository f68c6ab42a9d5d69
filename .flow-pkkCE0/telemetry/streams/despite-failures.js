import { IncompleteStreamError } from "../../core/errors.js";
async function* despiteFailures(items) {
  try {
    yield* items;
  } catch (error) {
    if (!IncompleteStreamError.is(error)) throw error;
  }
}
export {
  despiteFailures
};
