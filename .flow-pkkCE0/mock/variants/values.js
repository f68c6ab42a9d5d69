import {
  GraphQLInt,
  GraphQLScalarType,
  GraphQLString,
  isObjectType
} from "graphql";
import { minuteMs } from "../core/durations.js";
function formOf({ extensions }) {
  return typeof extensions.form === "function" ? extensions.form : null;
}
const offsetMinutes = 330;
function withOffset(time) {
  return `${new Date(time + offsetMinutes * minuteMs).toISOString().slice(0, -1)}+05:30`;
}
const flagWords = {
  "ON/OFF": ["ON", "OFF"],
  "on/off": ["on", "off"],
  "running/stopped": ["running", "stopped"],
  "1/0": [1, 0]
};
function setForm(type, name, answered, form) {
  const field = type.getFields()[name];
  if (field === void 0) throw new Error(`the contract has no ${type.name}.${name}`);
  const { resolve } = field;
  field.type = answered;
  field.extensions = { ...field.extensions, form };
  field.resolve = (source, args, context, info) => {
    const value = resolve?.(source, args, context, info);
    return value == null ? null : form(value);
  };
}
function objectType(schema, name) {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`the contract has no type ${name}`);
  return type;
}
function writeTimes(schema, form) {
  for (const name of ["DateTime", "Timestamp"]) {
    const scalar = schema.getType(name);
    if (scalar instanceof GraphQLScalarType) Object.assign(scalar, { serialize: form, extensions: { form } });
  }
}
function applyValueForms(schema, { flags, gpsNumbers, times }) {
  if (flags !== void 0) {
    const [on, off] = flagWords[flags];
    const answered = flags === "1/0" ? GraphQLInt : GraphQLString;
    const form = (value) => value === true ? on : off;
    setForm(objectType(schema, "Ignition"), "engineStatus", answered, form);
    if (flags !== "running/stopped") setForm(objectType(schema, "Gps"), "state", answered, form);
  }
  if (gpsNumbers === "text") {
    const gps = objectType(schema, "Gps");
    for (const name of Object.keys(gps.getFields())) {
      if (name !== "state") setForm(gps, name, GraphQLString, String);
    }
  }
  if (times === "offset") writeTimes(schema, (value) => withOffset(Number(value)));
  if (times === "epoch") writeTimes(schema, Number);
}
export {
  applyValueForms,
  formOf
};
