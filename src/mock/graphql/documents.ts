// From a query text to a document that may be executed: parsed, within the limits, valid. Clients send the same few texts
// again and again, so the outcome is kept, in bounded memory.
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { limitProblem, rootFieldsOf } from './document-limits.js';
import { type Classification, refusal } from './errors.js';
import { looseDocument } from './lenient-inputs.js';

export interface PreparedOperation {
  readonly kind: OperationTypeNode;
  /** Names of the root fields, fragments followed, in order and each once. */
  readonly rootFields: readonly string[];
  readonly node: OperationDefinitionNode;
}

export interface PreparedDocument {
  readonly document: DocumentNode;
  /** By name; the key of an operation without a name is ''. */
  readonly operations: ReadonlyMap<string, PreparedOperation>;
}

/** What is wrong with a text, and how such an error is classified. */
export interface RejectedDocument {
  readonly errors: readonly GraphQLError[];
  readonly classification: Classification;
}

const mostTokens = 60_000;
const longestDocument = 512 * 1024;
const mostErrors = 20;
// Bounds of the cache: so many texts, and so many characters of them in all. A parsed document takes some 150 bytes of memory
// for each character of its text.
const mostTexts = 500;
const mostCharacters = 512 * 1024;

export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #strict: boolean;
  readonly #known = new Map<string, PreparedDocument | RejectedDocument>();
  #characters = 0;

  constructor(schema: GraphQLSchema, strict: boolean) {
    this.#schema = schema;
    this.#strict = strict;
  }

  prepare(text: string): PreparedDocument | RejectedDocument {
    const known = this.#known.get(text);
    if (known !== undefined) {
      // Back to the end of the line: what leaves first is what was not asked for longest.
      this.#known.delete(text);
      this.#known.set(text, known);
      return known;
    }
    const outcome = this.#outcome(text);
    this.#keep(text, outcome);
    return outcome;
  }

  #keep(text: string, outcome: PreparedDocument | RejectedDocument): void {
    if (text.length > mostCharacters / 4) return;
    this.#known.set(text, outcome);
    this.#characters += text.length;
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostTexts && this.#characters <= mostCharacters) break;
      this.#known.delete(oldest);
      this.#characters -= oldest.length;
    }
  }

  #outcome(text: string): PreparedDocument | RejectedDocument {
    if (text.length > longestDocument) return tooMuch(`The document is longer than ${longestDocument} characters.`);
    let document: DocumentNode;
    try {
      document = parse(text, { maxTokens: mostTokens });
    } catch (error) {
      const syntax = error instanceof GraphQLError ? error : new GraphQLError('The document cannot be read.');
      return { errors: [syntax], classification: 'InvalidSyntax' };
    }
    const problem = limitProblem(document);
    if (problem !== null) return tooMuch(problem);
    if (!this.#strict) document = looseDocument(document, this.#schema);
    const errors = validate(this.#schema, document, specifiedRules, { maxErrors: mostErrors });
    if (errors.length > 0) return { errors: errors.slice(0, mostErrors), classification: 'ValidationError' };
    const operations = new Map<string, PreparedOperation>();
    for (const node of document.definitions) {
      if (node.kind !== Kind.OPERATION_DEFINITION) continue;
      operations.set(node.name?.value ?? '', {
        kind: node.operation,
        rootFields: rootFieldsOf(document, node),
        node,
      });
    }
    return { document, operations };
  }
}

function tooMuch(message: string): RejectedDocument {
  return { errors: [refusal('BAD_REQUEST', message)], classification: 'BAD_REQUEST' };
}
