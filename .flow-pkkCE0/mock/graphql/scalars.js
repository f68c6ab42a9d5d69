import { Kind, valueFromASTUntyped } from "graphql";
import { isJsonObject } from "../core/json-object.js";
import { refusal } from "../core/refusals.js";
import { parseRfc3339, toRfc3339 } from "../core/rfc3339.js";
import { isUuid } from "../core/uuid.js";
function invalid(message) {
  return refusal("ValidationError", message);
}
function parseUuid(value) {
  if (!isUuid(value)) throw invalid('A UUID must be a string such as "3f6c2b9e-8d1a-5c47-9b0e-2a7d4c1f8e65".');
  return value.toLowerCase();
}
function parseDateTime(value) {
  const time = parseRfc3339(value);
  if (time === null) {
    throw invalid(
      'A DateTime must be an RFC 3339 string with an offset, of a real date, such as "2026-03-01T08:30:00Z".'
    );
  }
  return time;
}
function parseLong(value) {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw invalid("A Long must be a whole number.");
  return value;
}
function parseObject(value) {
  if (!isJsonObject(value)) throw invalid("JSON must be an object.");
  return value;
}
const toIsoText = (value) => toRfc3339(Number(value));
function stringLiteral(node) {
  return node.kind === Kind.STRING ? node.value : null;
}
const dateTimeInput = {
  parseValue: parseDateTime,
  parseLiteral: (node) => parseDateTime(stringLiteral(node))
};
const longInput = {
  parseValue: parseLong,
  parseLiteral: (node) => parseLong(valueFromASTUntyped(node))
};
function scalarBehaviour(timestamps) {
  return {
    UUID: { serialize: String, parseValue: parseUuid, parseLiteral: (node) => parseUuid(stringLiteral(node)) },
    DateTime: { serialize: toIsoText, ...dateTimeInput },
    Timestamp: { serialize: timestamps === "number" ? Number : toIsoText, ...dateTimeInput },
    Long: { serialize: Number, ...longInput },
    Version: { serialize: Number, ...longInput },
    JSON: {
      serialize: (value) => value,
      parseValue: parseObject,
      parseLiteral: (node, variables) => parseObject(node.kind === Kind.OBJECT ? valueFromASTUntyped(node, variables) : null)
    }
  };
}
export {
  scalarBehaviour
};
