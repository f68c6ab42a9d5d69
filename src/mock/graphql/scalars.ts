// What the service accepts and sends for each scalar of the contract. Messages never hold the refused value: it may be long,
// and it may be a secret.
import { GraphQLError, type GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { isInstant } from '../control/instants.js';

type Behaviour = Pick<GraphQLScalarType, 'serialize' | 'parseValue' | 'parseLiteral'>;

/** How `createdAt` and its like are sent; `DateTime` fields are always text. */
export type TimestampForm = 'rfc3339' | 'number';

function invalid(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { classification: 'ValidationError' } });
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuidForm.test(value);
}

function parseUuid(value: unknown): string {
  if (!isUuid(value)) throw invalid('A UUID must be a string such as "3f6c2b9e-8d1a-5c47-9b0e-2a7d4c1f8e65".');
  return value.toLowerCase();
}

const dateTimeForm = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-](\d\d):(\d\d))$/;

/** Epoch milliseconds of RFC 3339 text that names a real date and time; null otherwise. */
export function rfc3339(value: unknown): number | null {
  const parts = typeof value === 'string' && value.length <= 40 ? dateTimeForm.exec(value) : null;
  if (parts === null) return null;
  const part = (place: number): number => Number(parts[place] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  if (part(4) > 23 || part(5) > 59 || part(6) > 59 || part(9) > 23 || part(10) > 59) return null;
  const time = Date.parse(String(value).toUpperCase());
  // With its offset the first or the last day can lie in a year that cannot be sent back.
  return isInstant(time) ? time : null;
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function parseDateTime(value: unknown): number {
  const time = rfc3339(value);
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
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid('JSON must be an object.');
  return value;
}

const isoText = (value: unknown): string => new Date(Number(value)).toISOString();

/** A literal in the document, as the JSON value it stands for. */
function plain(node: ValueNode): unknown {
  // Kept as a number; valueFromASTUntyped does so for INT and FLOAT nodes as well, but not for what is not one.
  return node.kind === Kind.INT ? Number(node.value) : valueFromASTUntyped(node);
}

function stringLiteral(node: ValueNode): unknown {
  return node.kind === Kind.STRING ? node.value : null;
}

/** Behaviour of every scalar of the contract, by name. */
export function scalarBehaviour(timestamps: TimestampForm): Readonly<Record<string, Behaviour>> {
  const timestamp = timestamps === 'number' ? (value: unknown) => Number(value) : isoText;
  return {
    UUID: { serialize: String, parseValue: parseUuid, parseLiteral: (node) => parseUuid(stringLiteral(node)) },
    DateTime: {
      serialize: isoText,
      parseValue: parseDateTime,
      parseLiteral: (node) => parseDateTime(stringLiteral(node)),
    },
    Timestamp: {
      serialize: timestamp,
      parseValue: parseDateTime,
      parseLiteral: (node) => parseDateTime(stringLiteral(node)),
    },
    Long: { serialize: Number, parseValue: parseLong, parseLiteral: (node) => parseLong(plain(node)) },
    Version: { serialize: Number, parseValue: parseLong, parseLiteral: (node) => parseLong(plain(node)) },
    JSON: {
      serialize: (value) => value,
      parseValue: parseObject,
      parseLiteral: (node, variables) =>
        parseObject(node.kind === Kind.OBJECT ? valueFromASTUntyped(node, variables) : null),
    },
  };
}
