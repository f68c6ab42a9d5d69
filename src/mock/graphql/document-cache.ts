// Parses and validates documents, and caches the results in bounded memory.
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { type Classification, serviceError } from '../core/refusals.js';
import { documentLimitProblem, rootFieldNames } from './document-limits.js';
import { dropUnknownLiteralKeys } from './lenient-inputs.js';
import { maxErrors } from './response-errors.js';

export interface PreparedOperation {
  readonly kind: OperationTypeNode;
  /** Names of the root fields, also in fragments, each once. */
  readonly rootFields: readonly string[];
  readonly node: OperationDefinitionNode;
}

export interface PreparedDocument {
  readonly document: DocumentNode;
  /** Dropped members of input literals, such as `CreateGroupInput.colour`. */
  readonly droppedKeys: ReadonlySet<string>;
  /** By name; an anonymous operation has the key ''. */
  readonly operations: ReadonlyMap<string, PreparedOperation>;
}

export interface RejectedDocument {
  readonly errors: readonly GraphQLError[];
  readonly classification: Classification;
}

const maxTokens = 60_000;
const maxDocumentLength = 512 * 1024;
// A parsed document takes about 150 bytes of memory per character, so both counts are limited.
const maxCachedDocuments = 500;
const maxCachedCharacters = 512 * 1024;

export interface DocumentRules {
  /** True when unknown members of this input type are dropped instead of refused. */
  readonly dropsUnknownKeys: (typeName: string) => boolean;
  readonly allowsIntrospection: boolean;
}

export class DocumentCache {
  readonly #schema: GraphQLSchema;
  readonly #rules: DocumentRules;
  readonly #cache = new Map<string, PreparedDocument | RejectedDocument>();
  #cachedCharacters = 0;

  constructor(schema: GraphQLSchema, rules: DocumentRules) {
    this.#schema = schema;
    this.#rules = rules;
  }

  prepare(text: string): PreparedDocument | RejectedDocument {
    const cached = this.#cache.get(text);
    if (cached !== undefined) {
      // Moves the entry to the end: the least recently used one is removed first.
      this.#cache.delete(text);
      this.#cache.set(text, cached);
      return cached;
    }
    const result = this.#parseAndValidate(text);
    this.#store(text, result);
    return result;
  }

  #store(text: string, result: PreparedDocument | RejectedDocument): void {
    if (text.length > maxCachedCharacters / 4) return;
    this.#cache.set(text, result);
    this.#cachedCharacters += text.length;
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= maxCachedDocuments && this.#cachedCharacters <= maxCachedCharacters) break;
      this.#cache.delete(oldest);
      this.#cachedCharacters -= oldest.length;
    }
  }

  #parseAndValidate(text: string): PreparedDocument | RejectedDocument {
    if (text.length > maxDocumentLength)
      return limitExceeded(`The document is longer than ${maxDocumentLength} characters.`);
    let document: DocumentNode;
    try {
      document = parse(text, { maxTokens });
    } catch (error) {
      const syntax = error instanceof GraphQLError ? error : new GraphQLError('The document cannot be read.');
      return { errors: [syntax], classification: 'InvalidSyntax' };
    }
    const problem = documentLimitProblem(document);
    if (problem !== null) return limitExceeded(problem);
    const { dropsUnknownKeys, allowsIntrospection } = this.#rules;
    const droppedKeys = new Set<string>();
    document = dropUnknownLiteralKeys(document, this.#schema, { isDropped: dropsUnknownKeys, dropped: droppedKeys });
    const rules = allowsIntrospection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
    const errors = validate(this.#schema, document, rules, { maxErrors });
    if (errors.length > 0) return { errors: errors.slice(0, maxErrors), classification: 'ValidationError' };
    const operations = new Map<string, PreparedOperation>();
    for (const node of document.definitions) {
      if (node.kind !== Kind.OPERATION_DEFINITION) continue;
      operations.set(node.name?.value ?? '', {
        kind: node.operation,
        rootFields: rootFieldNames(document, node),
        node,
      });
    }
    return { document, droppedKeys, operations };
  }
}

function limitExceeded(message: string): RejectedDocument {
  return { errors: [serviceError('BAD_REQUEST', message)], classification: 'BAD_REQUEST' };
}
