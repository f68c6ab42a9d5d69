// What a tool is: a question about the fleet that a model may ask, with its schemas and how it is answered. Tools know nothing of the protocol.
import type { Context } from '../context/context.js';

/** JSON Schema, as far as models read it: types, enums, descriptions, examples. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A row of an answer. Names of fields say their unit: `distanceKm`, `idleSeconds`. */
export type AnswerRow = Readonly<Record<string, unknown>>;

export interface ToolAnswer {
  /** What was found, in one or two sentences, with the totals. */
  readonly summary: string;
  /** What the answer has beside rows, by name. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** All rows; those that do not fit are left out, and the answer says how to ask for them. */
  readonly rows?: readonly AnswerRow[];
  /** Of the rows that are asked for. */
  readonly page?: Page;
  /** When its data was read, in milliseconds; default: now. */
  readonly asOf?: number;
  /** Where its data comes from; default: the service. With a copy, `asOf` is the time of the copy. */
  readonly source?: 'service' | 'copy' | 'copy and service';
}

export interface Page {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** What it answers, and when another tool is the right one: models choose by it. */
  readonly description: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly annotations: ToolAnnotations;
  /** Milliseconds. */
  readonly timeLimitMs: number;
  /** The input has been checked against the schema. The context is that of this call: its signal, its report. */
  readonly run: (context: Context, input: Readonly<Record<string, unknown>>) => Promise<ToolAnswer>;
  /** What a person is asked before the tool is run, where the client can ask; null when the input asks for nothing that can be done. */
  readonly question?: (input: Readonly<Record<string, unknown>>) => string | null;
  /** Called when the person says no. */
  readonly refused?: (input: Readonly<Record<string, unknown>>) => void;
}

/** Hints of the protocol for clients, which may ask their user before a tool that changes something. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

const TIME_LIMIT_MS = 60_000;

/** A tool that changes nothing. Input is what the schema promises. */
export function readTool<Input extends object>(tool: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly timeLimitMs?: number;
  readonly run: (context: Context, input: Input) => Promise<ToolAnswer>;
}): Tool {
  return {
    timeLimitMs: TIME_LIMIT_MS,
    ...tool,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    // The server has checked it against the schema, of which Input is the type.
    run: (context, input) => tool.run(context, input as Input),
  };
}

/** An input with these members, and no others. */
export function inputOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The output of a tool: what every answer has, its facts, and the fields of its rows. */
export function outputOf(shape: {
  readonly facts?: Readonly<Record<string, JsonSchema>>;
  readonly row?: Readonly<Record<string, JsonSchema>>;
}): JsonSchema {
  const { facts = {}, row } = shape;
  const rows = {
    count: { type: 'integer', description: 'how many rows there are in all' },
    offset: { type: 'integer', description: 'how many of them come before the rows here' },
    nextOffset: {
      type: ['integer', 'null'],
      description: 'the offset of the rows that follow; null when these are the last',
    },
    rows: { type: 'array', items: { type: 'object', properties: row } },
  };
  return {
    type: 'object',
    properties: {
      notice: { type: 'string' },
      summary: { type: 'string', description: 'what was found, with the totals' },
      asOf: { type: 'string', description: 'when the data was read' },
      timeZone: { type: 'string', description: 'the zone of all times without one' },
      source: { type: 'string', enum: ['service', 'copy', 'copy and service'] },
      ...facts,
      ...(row === undefined ? {} : rows),
      notes: { type: 'array', items: { type: 'string' }, description: 'what is missing or uncertain' },
    },
    required: ['summary', 'asOf', 'timeZone', 'source', ...(row === undefined ? [] : ['count', 'rows', 'nextOffset'])],
  };
}

export const text: JsonSchema = { type: ['string', 'null'] };
export const number: JsonSchema = { type: ['number', 'null'] };
export const yesNo: JsonSchema = { type: ['boolean', 'null'] };

/** Members of the input of every tool with rows. */
export const pageInput: Readonly<Record<string, JsonSchema>> = {
  limit: { type: 'integer', minimum: 1, maximum: 200, description: 'at most this many rows; default: as many as fit' },
  offset: { type: 'integer', minimum: 0, description: 'skip so many rows: nextOffset of the answer before' },
};
