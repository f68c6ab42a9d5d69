// The interface of a tool, independent of the protocol.
import type { AnswerRow, ToolCall } from './tool-call.js';

/** JSON Schema, limited to what models read: types, enums, descriptions, examples. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export type ToolInput = Readonly<Record<string, unknown>>;

export interface ToolAnswer {
  /** One or two sentences with the totals. */
  readonly summary: string;
  readonly facts?: AnswerRow;
  /** All rows; the answer is paged later. */
  readonly rows?: readonly AnswerRow[];
  /** Time of the data, in ms since 1970; default: now. */
  readonly asOf?: number;
  readonly source?: 'service' | 'copy' | 'copy and service';
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Questions that the tool answers, and alternatives, so that models can choose. */
  readonly description: string;
  readonly input: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly hasRows: boolean;
  /** True when past trips may come from the copy. */
  readonly usesCopy?: true;
  /** Confirmation by a person, for changes. */
  readonly confirm?: {
    /** Returns null when the input names no valid plan. */
    readonly question: (input: ToolInput) => string | null;
    readonly refused: (input: ToolInput) => void;
  };
  readonly run: (call: ToolCall, input: ToolInput) => Promise<ToolAnswer>;
}

export function inputSchemaOf({ input, required = [], hasRows }: Tool): JsonSchema {
  const properties = { ...input, ...(hasRows ? pages : {}) };
  return { type: 'object', properties, required, additionalProperties: false };
}

const pages: Readonly<Record<string, JsonSchema>> = {
  limit: { type: 'integer', minimum: 1, description: 'most rows of the answer' },
  offset: { type: 'integer', minimum: 0, description: 'nextOffset of the answer before' },
};

/** Schema of all answers; short, because every conversation includes the list of tools. */
export const outputSchema: JsonSchema = {
  type: 'object',
  properties: {
    summary: { type: 'string' },
    rows: { type: 'array' },
  },
  required: ['summary'],
};
