import {
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate
} from "graphql";
import { refusal } from "../core/refusals.js";
import { documentLimitProblem, rootFieldNames } from "./document-limits.js";
import { dropUnknownLiteralKeys } from "./lenient-inputs.js";
import { maxErrors } from "./response-errors.js";
const maxTokens = 6e4;
const maxDocumentLength = 512 * 1024;
const maxCachedDocuments = 500;
const maxCachedCharacters = 512 * 1024;
class DocumentCache {
  #schema;
  #rules;
  #cache = /* @__PURE__ */ new Map();
  #cachedCharacters = 0;
  constructor(schema, rules) {
    this.#schema = schema;
    this.#rules = rules;
  }
  prepare(text) {
    const cached = this.#cache.get(text);
    if (cached !== void 0) {
      this.#cache.delete(text);
      this.#cache.set(text, cached);
      return cached;
    }
    const result = this.#parseAndValidate(text);
    this.#store(text, result);
    return result;
  }
  #store(text, result) {
    if (text.length > maxCachedCharacters / 4) return;
    this.#cache.set(text, result);
    this.#cachedCharacters += text.length;
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= maxCachedDocuments && this.#cachedCharacters <= maxCachedCharacters) break;
      this.#cache.delete(oldest);
      this.#cachedCharacters -= oldest.length;
    }
  }
  #parseAndValidate(text) {
    if (text.length > maxDocumentLength)
      return limitExceeded(`The document is longer than ${maxDocumentLength} characters.`);
    let document;
    try {
      document = parse(text, { maxTokens });
    } catch (error) {
      const syntax = error instanceof GraphQLError ? error : new GraphQLError("The document cannot be read.");
      return { errors: [syntax], classification: "InvalidSyntax" };
    }
    const problem = documentLimitProblem(document);
    if (problem !== null) return limitExceeded(problem);
    const { dropsUnknownKeys, allowsIntrospection } = this.#rules;
    const droppedKeys = /* @__PURE__ */ new Set();
    document = dropUnknownLiteralKeys(document, this.#schema, { isDropped: dropsUnknownKeys, dropped: droppedKeys });
    const rules = allowsIntrospection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
    const errors = validate(this.#schema, document, rules, { maxErrors });
    if (errors.length > 0) return { errors: errors.slice(0, maxErrors), classification: "ValidationError" };
    const operations = /* @__PURE__ */ new Map();
    for (const node of document.definitions) {
      if (node.kind !== Kind.OPERATION_DEFINITION) continue;
      operations.set(node.name?.value ?? "", {
        kind: node.operation,
        rootFields: rootFieldNames(document, node),
        node
      });
    }
    return { document, droppedKeys, operations };
  }
}
function limitExceeded(message) {
  return { errors: [refusal("BAD_REQUEST", message)], classification: "BAD_REQUEST" };
}
export {
  DocumentCache
};
