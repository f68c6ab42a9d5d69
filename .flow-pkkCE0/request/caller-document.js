import { analyzeDocument } from "graphql-request";
import { refusedInput } from "../core/refused-input.js";
import { GraphQLError, isGraphqlLoaded, OperationTypeNode, parse } from "./graphql-parts.js";
const cache = /* @__PURE__ */ new Map();
const CACHE_SIZE = 200;
const texts = /* @__PURE__ */ new WeakMap();
function readDocument(document) {
  if (!isGraphqlLoaded) {
    throw refusedInput(
      "graphql, which reads the documents of request(), could not be loaded. If a bundle leaves it out, install it beside the bundle."
    );
  }
  const text = textOf(document);
  const cached = cache.get(text);
  if (cached) return cached;
  const read = readText(text);
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(text, read);
  return read;
}
function textOf(document) {
  if (typeof document === "string") return document;
  if (!(document instanceof String || isDocumentNode(document))) {
    throw refusedInput("The document must be GraphQL text or a (typed) document node.");
  }
  const cached = texts.get(document);
  if (cached !== void 0) return cached;
  const { expression } = analyzeDocument(document, true);
  texts.set(document, expression);
  return expression;
}
function isDocumentNode(value) {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "Document";
}
function readText(text) {
  const operations = parseText(text).definitions.filter((definition) => definition.kind === "OperationDefinition");
  const [only] = operations;
  if (!only || operations.length !== 1) {
    throw refusedInput(
      `The document must hold exactly one operation, and this one holds ${operations.length}: a request cannot say which one to run.`
    );
  }
  if (only.operation === OperationTypeNode.SUBSCRIPTION) {
    throw refusedInput("The service has no subscriptions.");
  }
  return {
    text,
    name: only.name?.value ?? "request",
    kind: only.operation === OperationTypeNode.MUTATION ? "mutation" : "query"
  };
}
function parseText(text) {
  try {
    return parse(text, { noLocation: true });
  } catch (error) {
    const at = error instanceof GraphQLError ? error.locations?.[0] : void 0;
    const where = at ? ` at line ${at.line}, column ${at.column}` : "";
    throw refusedInput(`The document is not valid GraphQL: syntax error${where}.`);
  }
}
export {
  readDocument
};
