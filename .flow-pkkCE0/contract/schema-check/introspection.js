import {
  buildClientSchema,
  getIntrospectionQuery,
  printSchema
} from "graphql";
import { GraphQLResponseError, HttpError, ProtocolError } from "../../core/errors.js";
async function introspect(client, options) {
  let data;
  try {
    data = await described(client, options);
  } catch (error) {
    if (GraphQLResponseError.is(error)) return null;
    throw error;
  }
  if (typeof data.__schema !== "object" || data.__schema === null) return null;
  try {
    return buildClientSchema(data, { assumeValid: true });
  } catch (cause) {
    throw new ProtocolError("The service describes its schema in a way that cannot be read.", {
      operation: "IntrospectionQuery",
      cause
    });
  }
}
async function described(client, options) {
  const ask = (inputValueDeprecation) => client.request(
    getIntrospectionQuery({ descriptions: true, specifiedByUrl: false, inputValueDeprecation }),
    {},
    options
  );
  try {
    return await ask(true);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return ask(false);
  }
}
function isRefusal(error) {
  return GraphQLResponseError.is(error) || HttpError.is(error) && !error.retryable;
}
function sdlOf(schema) {
  return `${printSchema(schema)}
`;
}
export {
  introspect,
  isRefusal,
  sdlOf
};
