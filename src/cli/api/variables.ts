// Converts `-v key=value` to the type in the document, and `-v key:=<json>` to a JSON value. The
// JSON form is for nulls, numbers and lists that would be read as text.
import { type DocumentNode, GraphQLError, Kind, type OperationDefinitionNode, parse, type TypeNode } from 'graphql';
import { didYouMean } from '../../core/suggestions.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { describeJsonError } from '../parse/json-error-text.js';
import { isTooDeep, MAX_LEVELS } from '../parse/nesting.js';

/** Reads the text of `@file` or `-`. */
type ReadText = (source: string) => Promise<string>;

export async function readVariables(
  document: string,
  pairs: readonly string[],
  readText: ReadText,
): Promise<Record<string, unknown>> {
  const declared = declarationsOf(document);
  const texts = new Map<string, string[]>();
  const raw = new Map<string, string>();
  for (const pair of pairs) {
    const { name, value, isJson } = readPair(pair);
    if (!declared.has(name)) throw undeclared(name, declared);
    if (raw.has(name) || (isJson && texts.has(name))) {
      throw new CliError('USAGE', `The variable $${name} is given twice, once as JSON.`, {
        hint: `Give its complete value once, as -v ${name}:=<json>.`,
      });
    }
    if (isJson) raw.set(name, value);
    else texts.set(name, [...(texts.get(name) ?? []), value]);
  }
  for (const [name, { type, optional }] of declared) {
    if (optional || texts.has(name) || raw.has(name)) continue;
    throw new CliError('USAGE', `The variable $${name} (${typeText(type)}) has no value.`, {
      hint: `Give it with -v ${name}=….`,
    });
  }
  const variables: Record<string, unknown> = {};
  for (const [name, values] of texts) {
    const type = declared.get(name)?.type;
    if (type) variables[name] = await variableValue(name, type, values, readText);
  }
  for (const [name, value] of raw) {
    const type = declared.get(name)?.type;
    if (type) variables[name] = json(name, type, await textOf(value, readText));
  }
  return variables;
}

/** Returns the field names of the document's mutations; empty for a query. */
export function mutationsIn(document: string): readonly string[] {
  return parse(document).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION && definition.operation === 'mutation'
      ? definition.selectionSet.selections.flatMap((one) => (one.kind === Kind.FIELD ? [one.name.value] : []))
      : [],
  );
}

interface Pair {
  readonly name: string;
  readonly value: string;
  /** True for `:=`. */
  readonly isJson: boolean;
}

/** Splits a pair. Names cannot end in a colon, so `key:=` is unambiguous. */
function readPair(pair: string): Pair {
  const parsed = parseKeyValue(pair);
  const name = parsed?.key.replace(/:$/, '');
  if (parsed && name) return { name, value: parsed.value, isJson: name !== parsed.key };
  // The text is not quoted, because it may contain a value.
  throw new CliError('USAGE', 'The value of a -v flag does not have the form key=value or key:=<json>.', {
    hint: 'For example -v id=42, or -v id:=null.',
  });
}

interface Declaration {
  readonly type: TypeNode;
  readonly optional: boolean;
}

function declarationsOf(document: string): ReadonlyMap<string, Declaration> {
  const [operation, second] = parseDocument(document).definitions.filter(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  if (!operation || second) {
    throw new CliError('USAGE', `The document has ${operation ? 'more than one operation' : 'no operation'}.`, {
      hint: 'Send one operation at a time.',
    });
  }
  return new Map(
    (operation.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => [
      variable.name.value,
      { type, optional: type.kind !== Kind.NON_NULL_TYPE || defaultValue !== undefined },
    ]),
  );
}

export function parseDocument(document: string): DocumentNode {
  try {
    return parse(document);
  } catch (error) {
    if (error instanceof RangeError) {
      throw refusal('The document is nested too deeply to be read.');
    }
    if (!(error instanceof GraphQLError)) throw error;
    const at = error.locations?.[0];
    const where = at ? ` at line ${at.line}, column ${at.column}` : '';
    throw new CliError('USAGE', `The document is not GraphQL${where}: ${error.message}`, {
      hint: 'Put it in single quotes, so that the shell does not change $ and ".',
    });
  }
}

function undeclared(name: string, declared: ReadonlyMap<string, Declaration>): CliError {
  const names = [...declared.keys()];
  return new CliError('USAGE', `The document declares no variable $${name}.`, {
    hint:
      didYouMean(name, names) ??
      (names.length === 0
        ? 'It declares no variables.'
        : `It declares ${names.map((declaredName) => `$${declaredName}`).join(', ')}.`),
  });
}

async function variableValue(
  name: string,
  type: TypeNode,
  values: readonly string[],
  readText: ReadText,
): Promise<unknown> {
  if (type.kind === Kind.NON_NULL_TYPE) return variableValue(name, type.type, values, readText);
  if (type.kind === Kind.LIST_TYPE) {
    const [only] = values;
    if (values.length === 1 && only !== undefined) {
      const text = await textOf(only, readText);
      if (/^\s*(\[|null\s*$)/.test(text)) return json(name, type, text);
      if (text !== only) return json(name, type, text);
    }
    return Promise.all(values.map((value) => variableValue(name, type.type, [value], readText)));
  }
  const [value = '', another] = values;
  if (another !== undefined) {
    throw new CliError('USAGE', `The variable $${name} has more than one value but is not a list.`);
  }
  return scalar(name, type, value, readText);
}

async function scalar(name: string, type: TypeNode, value: string, readText: ReadText): Promise<unknown> {
  const expected = typeText(type);
  const refuse = () => new CliError('USAGE', `The value of the variable $${name} is not of type ${expected}.`);
  switch (expected) {
    case 'Int':
    case 'Long': {
      if (value === 'null') return null;
      if (!/^[+-]?\d+$/.test(value) || !Number.isSafeInteger(Number(value))) throw refuse();
      return Number(value);
    }
    case 'Float': {
      if (value === 'null') return null;
      if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) || !Number.isFinite(Number(value))) throw refuse();
      return Number(value);
    }
    case 'Boolean':
      if (value === 'true') return true;
      if (value === 'false') return false;
      if (value === 'null') return null;
      throw refuse();
    case 'String':
    case 'ID':
    case 'UUID':
    case 'DateTime':
      return value;
    default: {
      // Input objects are named `…Input`. For an unknown type, a value in braces is JSON.
      const isJson = expected === 'JSON' || expected.endsWith('Input') || /^\s*\{/.test(value);
      return isJson ? json(name, type, await textOf(value, readText)) : value;
    }
  }
}

/** Used only for types other than text, because a text may begin with @. */
function textOf(value: string, readText: ReadText): string | Promise<string> {
  return value === '-' || value.startsWith('@') ? readText(value) : value;
}

function json(name: string, type: TypeNode, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CliError('USAGE', `The variable $${name} must be JSON of type ${typeText(type)}.`, {
      hint: describeJsonError(text),
    });
  }
  if (isTooDeep(value)) {
    throw refusal(`The variable $${name} is nested deeper than ${MAX_LEVELS} levels.`);
  }
  return value;
}

function typeText(type: TypeNode): string {
  if (type.kind === Kind.NON_NULL_TYPE) return `${typeText(type.type)}!`;
  return type.kind === Kind.LIST_TYPE ? `[${typeText(type.type)}]` : type.name.value;
}

/** Returns null without a key or an equals sign. */
export function parseKeyValue(text: string): { readonly key: string; readonly value: string } | null {
  const at = text.indexOf('=');
  if (at < 1) return null;
  return { key: text.slice(0, at), value: text.slice(at + 1) };
}
