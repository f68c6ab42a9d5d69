// Variants of value formats: flags as words or numbers, numbers as text, other times.
import {
  GraphQLInt,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  type GraphQLSchema,
  GraphQLString,
  isObjectType,
} from 'graphql';
import { minuteMs } from '../core/durations.js';
import type { MockVariant } from './variant.js';

/** Converts a value of the records for the response. */
export type ValueForm = (value: unknown) => unknown;

/** Returns the format of a field or a scalar; null when values stay unchanged. */
export function valueFormOf({
  extensions,
}: {
  readonly extensions: Readonly<Record<string, unknown>>;
}): ValueForm | null {
  return typeof extensions.form === 'function' ? (extensions.form as ValueForm) : null;
}

const offsetMinutes = 330;

function withOffset(time: number): string {
  return `${new Date(time + offsetMinutes * minuteMs).toISOString().slice(0, -1)}+05:30`;
}

const flagWords = {
  'ON/OFF': ['ON', 'OFF'],
  'on/off': ['on', 'off'],
  'running/stopped': ['running', 'stopped'],
  '1/0': [1, 0],
} as const;

function setForm(type: GraphQLObjectType, name: string, answered: GraphQLOutputType, form: ValueForm): void {
  const field = type.getFields()[name];
  if (field === undefined) throw new Error(`the contract has no ${type.name}.${name}`);
  const { resolve } = field;
  field.type = answered;
  field.extensions = { ...field.extensions, form };
  field.resolve = (source, args, context, info) => {
    const value: unknown = resolve?.(source, args, context, info);
    return value == null ? null : form(value);
  };
}

function objectType(schema: GraphQLSchema, name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`the contract has no type ${name}`);
  return type;
}

function writeTimes(schema: GraphQLSchema, form: ValueForm): void {
  for (const name of ['DateTime', 'Timestamp']) {
    const scalar = schema.getType(name);
    if (scalar instanceof GraphQLScalarType) Object.assign(scalar, { serialize: form, extensions: { form } });
  }
}

export function applyValueForms(schema: GraphQLSchema, { flags, gpsNumbers, times }: MockVariant): void {
  if (flags !== undefined) {
    const [on, off] = flagWords[flags];
    const answered = flags === '1/0' ? GraphQLInt : GraphQLString;
    const form: ValueForm = (value) => (value === true ? on : off);
    setForm(objectType(schema, 'Ignition'), 'engineStatus', answered, form);
    if (flags !== 'running/stopped') setForm(objectType(schema, 'Gps'), 'state', answered, form);
  }
  if (gpsNumbers === 'text') {
    const gps = objectType(schema, 'Gps');
    for (const name of Object.keys(gps.getFields())) {
      if (name !== 'state') setForm(gps, name, GraphQLString, String);
    }
  }
  if (times === 'offset') writeTimes(schema, (value) => withOffset(Number(value)));
  if (times === 'epoch') writeTimes(schema, Number);
}
