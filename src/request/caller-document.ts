// Reads a GraphQL document of the caller. It must hold exactly one operation, because the
// contract's request body has no operation name.
import type { DocumentNode } from 'graphql';
import { analyzeDocument } from 'graphql-request';
import { refusedInput } from '../core/refused-input.js';
import { GraphQLError, isGraphqlLoaded, OperationTypeNode, parse } from './graphql-parts.js';

export interface CallerDocument {
  readonly text: string;
  readonly name: string;
  readonly kind: 'query' | 'mutation';
}

/** Parsing takes longer than a small call, and most documents are constants. */
const cache = new Map<string, CallerDocument>();
const CACHE_SIZE = 200;
const texts = new WeakMap<object, string>();

/** Reads a document: text, a boxed string of codegen, or parsed. graphql must be loaded. */
export function readDocument(document: unknown): CallerDocument {
  if (!isGraphqlLoaded) {
    throw refusedInput(
      'graphql, which reads the documents of request(), could not be loaded. If a bundle leaves it out, install it beside the bundle.',
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

function textOf(document: unknown): string {
  if (typeof document === 'string') return document;
  if (!(document instanceof String || isDocumentNode(document))) {
    throw refusedInput('The document must be GraphQL text or a (typed) document node.');
  }
  const cached = texts.get(document);
  if (cached !== undefined) return cached;
  // Only the text is read: for more, analyzeDocument would parse it again and hide its errors.
  const { expression } = analyzeDocument(document, true);
  texts.set(document, expression);
  return expression;
}

function isDocumentNode(value: unknown): value is DocumentNode {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Document';
}

function readText(text: string): CallerDocument {
  const operations = parseText(text).definitions.filter((definition) => definition.kind === 'OperationDefinition');
  const [only] = operations;
  if (!only || operations.length !== 1) {
    throw refusedInput(
      `The document must hold exactly one operation, and this one holds ${operations.length}: a request cannot say which one to run.`,
    );
  }
  if (only.operation === OperationTypeNode.SUBSCRIPTION) {
    throw refusedInput('The service has no subscriptions.');
  }
  return {
    text,
    name: only.name?.value ?? 'request',
    kind: only.operation === OperationTypeNode.MUTATION ? 'mutation' : 'query',
  };
}

function parseText(text: string): DocumentNode {
  try {
    return parse(text, { noLocation: true });
  } catch (error) {
    // The parser's message quotes the document, which may hold values.
    const at = error instanceof GraphQLError ? error.locations?.[0] : undefined;
    const where = at ? ` at line ${at.line}, column ${at.column}` : '';
    throw refusedInput(`The document is not valid GraphQL: syntax error${where}.`);
  }
}
