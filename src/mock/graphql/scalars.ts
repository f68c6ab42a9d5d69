// Parses and serializes the scalars. Messages never repeat a refused value: it may be secret.
import { type GraphQLError, type GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { isJsonObject } from '../core/json-object.js';
import { serviceError } from '../core/refusals.js';
import { parseRfc3339, toRfc3339 } from '../core/rfc3339.js';
import { isIdText } from '../core/uuid.js';

type Behaviour = Pick<GraphQLScalarType, 'serialize' | 'parseValue' | 'parseLiteral'>;

/** The format of fields such as `createdAt`; `DateTime` fields are always text. */
export type TimestampForm = 'rfc3339' | 'number';

function invalid(message: string): GraphQLError {
  return serviceError('ValidationError', message);
}

function parseUuid(value: unknown): string {
  if (!isIdText(value)) throw invalid('A UUID must be a string such as "3f6c2b9e-8d1a-5c47-9b0e-2a7d4c1f8e65".');
  return value.toLowerCase();
}

function parseDateTime(value: unknown): number {
  const time = parseRfc3339(value);
  if (time === null) {
    throw invalid(
      'A DateTime must be an RFC 3339 string with an offset, of a real date, such as "2026-03-01T08:30:00Z".',
    );
  }
  return time;
}

function parseLong(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw invalid('A Long must be a whole number.');
  return value;
}

function parseObject(value: unknown): unknown {
  if (!isJsonObject(value)) throw invalid('JSON must be an object.');
  return value;
}

const toIsoText = (value: unknown): string => toRfc3339(Number(value));

function stringLiteral(node: ValueNode): unknown {
  return node.kind === Kind.STRING ? node.value : null;
}

const dateTimeInput = {
  parseValue: parseDateTime,
  parseLiteral: (node: ValueNode) => parseDateTime(stringLiteral(node)),
};
const longInput = {
  parseValue: parseLong,
  parseLiteral: (node: ValueNode) => parseLong(valueFromASTUntyped(node)),
};

export function scalarBehaviour(timestamps: TimestampForm): Readonly<Record<string, Behaviour>> {
  return {
    UUID: { serialize: String, parseValue: parseUuid, parseLiteral: (node) => parseUuid(stringLiteral(node)) },
    DateTime: { serialize: toIsoText, ...dateTimeInput },
    Timestamp: { serialize: timestamps === 'number' ? Number : toIsoText, ...dateTimeInput },
    Long: { serialize: Number, ...longInput },
    Version: { serialize: Number, ...longInput },
    JSON: {
      serialize: (value) => value,
      parseValue: parseObject,
      parseLiteral: (node, variables) =>
        parseObject(node.kind === Kind.OBJECT ? valueFromASTUntyped(node, variables) : null),
    },
  };
}
