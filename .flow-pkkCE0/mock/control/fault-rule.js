import { endpoints } from "../core/endpoints.js";
import { objectOfKind, oneOf, optional, refined, text, wholeNumber } from "../core/readers.js";
import { rootResolvers } from "../graphql/resolvers/resolver-map.js";
const common = {
  times: optional(wholeNumber(1, 1e9)),
  operation: optional(oneOf(Object.keys(rootResolvers).sort())),
  path: optional(oneOf(endpoints))
};
const status = optional(wholeNumber(200, 599));
const retryAfter = optional(wholeNumber(0, 1e6));
const message = optional(text);
const ruleOfKind = objectOfKind(
  {
    status: { ...common, status, retryAfter, message },
    delay: { ...common, ms: wholeNumber(0, 36e5) },
    reset: common,
    truncate: common,
    malformed: common,
    html: { ...common, status, retryAfter },
    graphqlError: { ...common, message }
  },
  "a fault rule"
);
const faultRule = refined(
  ruleOfKind,
  ({ kind, operation, path = "/graphql" }) => path !== "/graphql" && (kind === "graphqlError" || operation !== void 0) ? "with an operation or of kind graphqlError can only apply to requests to the path /graphql" : null,
  "a fault rule"
);
export {
  faultRule
};
