import { Kind, parse } from "graphql";
import { contractText } from "../../generated/contract-text.js";
import {
  anyTime,
  boolean,
  fail,
  json,
  list,
  number,
  object,
  oneOf,
  optional,
  orNull,
  text,
  uuid,
  wholeNumber
} from "../core/readers.js";
const whole = wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
const scalars = {
  UUID: uuid,
  String: text,
  Boolean: boolean,
  Float: number(-Number.MAX_VALUE, Number.MAX_VALUE),
  Int: whole,
  Long: whole,
  Version: whole,
  DateTime: anyTime,
  Timestamp: anyTime,
  JSON: json
};
let contract = null;
function contractReaders() {
  if (contract !== null) return contract;
  const types = new Map(Object.entries(scalars));
  const results = /* @__PURE__ */ new Map();
  const readerOf = (type) => {
    if (type.kind === Kind.NON_NULL_TYPE) return readerOf(type.type);
    if (type.kind === Kind.LIST_TYPE) return orNull(list(readerOf(type.type)));
    return orNull((value, path) => types.get(type.name.value)?.(value, path));
  };
  for (const node of parse(contractText, { noLocation: true }).definitions) {
    if (node.kind === Kind.OBJECT_TYPE_DEFINITION) {
      const fields = (node.fields ?? []).map(({ name, type }) => [name.value, readerOf(type)]);
      if (node.name.value === "Query" || node.name.value === "Mutation")
        for (const [name, read] of fields) results.set(name, read);
      else types.set(node.name.value, object(Object.fromEntries(fields.map(([name, read]) => [name, optional(read)]))));
    }
    if (node.kind === Kind.ENUM_TYPE_DEFINITION)
      types.set(node.name.value, oneOf((node.values ?? []).map(({ name }) => name.value)));
  }
  contract = { types, results };
  return contract;
}
function contractObject(typeName) {
  return (value, path) => contractReaders().types.get(typeName)?.(value, path);
}
function readOperationResult(operation, value, path) {
  const read = contractReaders().results.get(operation);
  return read === void 0 ? fail(path, "is of no operation of the contract") : read(value, path);
}
export {
  contractObject,
  readOperationResult
};
