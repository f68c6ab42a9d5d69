import { GraphQLError } from "graphql";
const maxErrors = 20;
const maxMessageLength = 400;
function shorten(message) {
  return message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength)}\u2026`;
}
function toResponseError(error, fallback) {
  const isExpected = error.originalError === void 0 || error.originalError instanceof GraphQLError;
  const classification = error.extensions.classification;
  return {
    message: isExpected ? shorten(error.message) : "Exception while fetching data.",
    ...error.locations === void 0 ? {} : { locations: error.locations },
    ...error.path === void 0 ? {} : { path: error.path },
    extensions: { classification: typeof classification === "string" ? classification : fallback }
  };
}
export {
  maxErrors,
  toResponseError
};
