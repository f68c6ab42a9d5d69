import { execute } from "graphql";
import { isJsonObject } from "../core/json-object.js";
import { bodyText, errorResponse, mediaType } from "../core/messages.js";
import { parseQualityValues } from "../core/quality-values.js";
import { refusedStatus } from "../variants/results.js";
import { toResponseError } from "./response-errors.js";
import { responseBody, rowStreamField } from "./row-stream.js";
import { checkVariables } from "./variables.js";
function readBody(request) {
  let body;
  try {
    body = JSON.parse(bodyText(request.body));
  } catch {
    return "The body is not JSON.";
  }
  if (!isJsonObject(body)) return "The body must be a JSON object.";
  const { query, variables, operationName, extensions } = body;
  if (typeof query !== "string" || query.trim() === "") return 'The body needs a member "query" that holds a document.';
  if (variables !== void 0 && variables !== null && !isJsonObject(variables))
    return '"variables" must be an object.';
  if (operationName !== void 0 && operationName !== null && typeof operationName !== "string") {
    return '"operationName" must be a string.';
  }
  if (extensions !== void 0 && extensions !== null && !isJsonObject(extensions))
    return '"extensions" must be an object.';
  return { query, variables: variables ?? {}, operationName: operationName || null };
}
function negotiateMediaType(accept) {
  let best = "application/json";
  let bestQuality = 0;
  for (const { value, quality } of parseQualityValues(accept)) {
    if (value !== "application/graphql-response+json" && value !== "application/json") continue;
    if (quality > bestQuality) [best, bestQuality] = [value, quality];
  }
  return best;
}
function toResponse(responseType, data, errors) {
  const isRejected = data === void 0;
  return {
    // As Spring for GraphQL does: a request that cannot be executed is 200 as JSON and 400 as graphql-response+json.
    status: isRejected && responseType !== "application/json" ? 400 : 200,
    headers: { "content-type": `${responseType}; charset=utf-8` },
    body: isRejected ? JSON.stringify({ errors }) : responseBody(data, errors)
  };
}
function rejectedResponse(responseType, errors, classification) {
  return toResponse(
    responseType,
    void 0,
    errors.map((error) => toResponseError(error, classification))
  );
}
function prepareRequest(request, schemas, documents, dropsUnknownKeys) {
  const type = request.headers["content-type"];
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type ?? "")?.[1]?.toLowerCase() ?? "utf-8";
  if (mediaType(type) !== "application/json" || charset !== "utf-8" && charset !== "utf8") {
    return errorResponse(415, "BAD_REQUEST", "The content type must be application/json in UTF-8.");
  }
  const body = readBody(request);
  if (typeof body === "string") return errorResponse(400, "BAD_REQUEST", body);
  const responseType = negotiateMediaType(request.headers.accept);
  const prepared = documents.prepare(body.query);
  if ("errors" in prepared) return rejectedResponse(responseType, prepared.errors, prepared.classification);
  return prepareOperation(prepared, body, responseType, schemas, dropsUnknownKeys);
}
function prepareOperation(prepared, body, responseType, schemas, dropsUnknownKeys) {
  const { operations, document } = prepared;
  const [only] = operations.size === 1 ? operations.values() : [];
  const operation = body.operationName === null ? only : operations.get(body.operationName);
  if (operation === void 0) {
    const problem = body.operationName === null ? "Name the operation to run: operationName." : "The document has no operation of that name.";
    return toResponse(responseType, void 0, [{ message: problem, extensions: { classification: "BAD_REQUEST" } }]);
  }
  const unknownKeys = { isDropped: dropsUnknownKeys, dropped: new Set(prepared.droppedKeys) };
  const checked = checkVariables(schemas.standard, operation.node, body.variables, unknownKeys);
  if ("errors" in checked) return rejectedResponse(responseType, checked.errors, "ValidationError");
  const isStreamed = operation.rootFields.includes(rowStreamField) && !operation.rootFields.includes("__schema") && !operation.rootFields.includes("__type");
  return {
    operations: operation.rootFields,
    ignoredMembers: [...unknownKeys.dropped],
    run(contextValue) {
      const result = execute({
        schema: isStreamed && !contextValue.mayBeAnswered(rowStreamField) ? schemas.streaming() : schemas.standard,
        document,
        contextValue,
        rootValue: { variables: checked.variables },
        variableValues: checked.variables,
        operationName: body.operationName
      });
      const { data, errors = [] } = result;
      for (const error of errors) {
        const status = refusedStatus(error);
        if (status !== null) return errorResponse(status, "BAD_REQUEST", error.message);
      }
      const { recordLimitError } = contextValue;
      if (recordLimitError !== null) {
        return toResponse(responseType, null, [toResponseError(recordLimitError, "BAD_REQUEST")]);
      }
      return toResponse(
        responseType,
        data,
        errors.map((error) => toResponseError(error, "DataFetchingException"))
      );
    }
  };
}
export {
  prepareRequest
};
