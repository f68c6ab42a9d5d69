import { GraphQLError } from "graphql";
function refusal(classification, message) {
  return new GraphQLError(message, { extensions: { classification } });
}
const badRequest = (message) => refusal("BAD_REQUEST", message);
const forbidden = (message) => refusal("FORBIDDEN", message);
const notFound = (kind, id) => refusal("NOT_FOUND", `No ${kind} with id ${id}.`);
export {
  badRequest,
  forbidden,
  notFound,
  refusal
};
