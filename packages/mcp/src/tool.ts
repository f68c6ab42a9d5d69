// A tool of the server: a question about the fleet with its schema. Tools know nothing of the
// protocol.
import type { AnswerRow, ToolCall } from './tool-call.js';

/** JSON Schema, as far as models read it: types, enums, descriptions, examples. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The input of a call after the check against the schema. */
export type ToolInput = Readonly<Record<string, unknown>>;

export interface ToolAnswer {
  /** One or two sentences with the totals. */
  readonly summary: string;
  /** Members of the answer beside its rows. */
  readonly facts?: AnswerRow;
  /** All rows; the answer is cut into pages later. */
  readonly rows?: readonly AnswerRow[];
  /** Time of the data, in ms since 1970. Default: now. */
  readonly asOf?: number;
  readonly source?: 'service' | 'copy' | 'copy and service';
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** The questions of the tool, and when another one is right: models choose by it. */
  readonly description: string;
  /** The members of its input. */
  readonly input: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** True for a tool with rows, which are asked for page by page. */
  readonly hasRows: boolean;
  /** True when trips of the past may come from the copy. */
  readonly usesCopy?: true;
  /** Present for a tool that changes something: what a person is asked before it runs. */
  readonly confirm?: {
    /** Returns null when the input names nothing that can be done. */
    readonly question: (input: ToolInput) => string | null;
    /** Called when the person says no. */
    readonly refused: (input: ToolInput) => void;
  };
  readonly run: (call: ToolCall, input: ToolInput) => Promise<ToolAnswer>;
}

/** Returns the JSON Schema of the input of a tool. */
export function inputSchemaOf({ input, required = [], hasRows }: Tool): JsonSchema {
  const properties = { ...input, ...(hasRows ? pages : {}) };
  return { type: 'object', properties, required, additionalProperties: false };
}

const pages: Readonly<Record<string, JsonSchema>> = {
  limit: { type: 'integer', minimum: 1, description: 'most rows of the answer' },
  offset: { type: 'integer', minimum: 0, description: 'nextOffset of the answer before' },
};

/**
 * The schema of every answer. It is short, because the list of tools is part of each conversation.
 */
export const outputSchema: JsonSchema = {
  type: 'object',
  properties: {
    summary: { type: 'string' },
    rows: { type: 'array' },
  },
  required: ['summary'],
};
