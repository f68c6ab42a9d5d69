// Normalizes input as models write it: numbers as text, null members, a text for a list.
import { didYouMean, isObject } from 'fleet-telematics/kit';
import type { JsonSchema } from './tool.js';

/** Converts values to the types of the schema; leaves others unchanged. */
export function convertInput(schema: JsonSchema, members: unknown): unknown {
  if (!isObject(members)) return members ?? {};
  const properties = Object(schema.properties);
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      isNothing(value) ? [] : [[name, converted(Object(properties[name]), value)]],
    ),
  );
}

/** An empty list has a meaning: it clears a value. */
function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length > 0 && value.every((one) => one === null));
}

function converted({ type, items, additionalProperties }: JsonSchema, value: unknown): unknown {
  if (type === 'array') {
    const list: unknown = typeof value === 'string' && value.startsWith('[') ? jsonOr(value) : value;
    // Choices contain no commas; names may.
    const isChoices = typeof list === 'string' && Object(items).enum !== undefined;
    return (Array.isArray(list) ? list : isChoices ? list.split(/\s*,\s*/) : [list])
      .filter((one) => one !== null)
      .map((one) => converted(Object(items), one));
  }
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof single === 'string') {
    const text = single.trim();
    if ((type === 'number' || type === 'integer') && /^[+-]?\d+(\.\d+)?$/.test(text)) return Number(text);
    if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
    if (type === 'object') return jsonOr(text);
  }
  if (type === 'object' && isObject(single) && isObject(additionalProperties)) {
    return Object.fromEntries(
      Object.entries(single).map(([name, member]) => [name, converted(additionalProperties, member)]),
    );
  }
  return type === 'string' && (typeof single === 'number' || typeof single === 'boolean') ? String(single) : single;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Describes an unknown or missing member or an invalid choice; returns null without a problem. */
export function problemOfMembers(schema: JsonSchema, input: unknown): string | null {
  const properties: Readonly<Record<string, JsonSchema>> = Object(schema.properties);
  const knownNames = Object.keys(properties);
  const members: object = Object(input);
  const unknown = Object.keys(members).find((member) => !Object.hasOwn(properties, member));
  if (unknown !== undefined) {
    const suggestion = didYouMean(unknown, knownNames);
    return `There is no input ${unknown}.${suggestion === undefined ? '' : ` ${suggestion}`} The inputs are ${knownNames.join(', ')}.`;
  }
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.map(String).find((member) => !Object.hasOwn(members, member));
  if (missing !== undefined) return `${missing} is missing: ${String(properties[missing]?.description)}.`;
  for (const [member, value] of Object.entries(members)) {
    const { type, minimum, enum: choices = Object(properties[member]?.items).enum } = properties[member] ?? {};
    if (typeof type === 'string' && !isOfType(type, value)) return `${member} is not ${typeNames[type] ?? type}.`;
    if (typeof minimum === 'number' && Number(value) < minimum) return `${member} is less than ${minimum}.`;
    const wrong = Array.isArray(choices) ? [value].flat().find((one) => !choices.includes(one)) : undefined;
    if (wrong !== undefined) return `${member} "${String(wrong)}" is not one of ${choices.join(', ')}.`;
  }
  return null;
}

const typeNames: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', integer: 'a whole number', boolean: 'true or false' },
  ...{ array: 'a list', object: 'an object' },
};

function isOfType(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return type === 'integer' ? Number.isSafeInteger(value) : typeof value === type;
}
