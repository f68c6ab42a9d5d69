import { messageOf } from "../core/error-messages.js";
import { ProtocolError } from "../core/errors.js";
import { isEmptyData, isObject } from "../core/json.js";
import { graphqlError } from "./failure-error.js";
const ANSWER_TRUE = ["assignDriver", "unassignDriver"];
const unwrap = (request, next) => next(request).then(request.read);
function unwrapData(name, answer, partial, notifier) {
  const { data, errors } = answer;
  if (errors.length > 0) {
    if (!partial || isEmptyData(data)) throw graphqlError(errors, data, callOf(name, answer));
    notifier.warning(partialData(name, errors));
  }
  return data;
}
function unwrapResult({ name, list }, answer, partial, notifier) {
  const value = rootValue(name, answer, partial, notifier);
  if (!list) {
    if (ANSWER_TRUE.includes(name) && value !== true) throw offContract("notTrue", name, answer);
    return value;
  }
  if (value !== null) return withoutNulls(name, value, answer, notifier);
  notifier.warning({
    code: "NULL_LIST",
    operation: name,
    message: `${name} answered null instead of a list; the result is an empty list.`
  });
  return [];
}
function unwrapRows(name, answer, partial, notifier) {
  const value = rootValue(name, answer, partial, notifier);
  if (value === null) throw nullList(name, answer);
  return withoutNulls(name, value, answer, notifier);
}
function nullList(operation, answer) {
  const facts = { kind: "nullList" };
  const call = callOf(operation, answer);
  return new ProtocolError(messageOf(facts, call), { ...call, facts });
}
function rootValue(name, answer, partial, notifier) {
  const data = unwrapData(name, answer, partial, notifier);
  const value = isObject(data) ? data[name] : void 0;
  if (value === void 0) throw offContract("noMember", name, answer);
  return value;
}
function withoutNulls(name, value, answer, notifier) {
  if (!Array.isArray(value)) throw offContract("noList", name, answer);
  if (!value.includes(null)) return value;
  const rows = value.filter((row) => row !== null);
  notifier.warning(nullRows(name, value.length - rows.length, value.length));
  return rows;
}
function nullRows(operation, nulls, all) {
  const message = `${operation} answered ${nulls} null rows among ${all}; they are left out.`;
  return { code: "NULL_ROWS", operation, message };
}
function offContract(what, operation, answer) {
  const facts = { kind: "offContract", what };
  const call = callOf(operation, answer);
  return new ProtocolError(messageOf(facts, call), { ...call, facts });
}
function callOf(operation, { attempts, ids }) {
  return { operation, attempts, ...ids?.() };
}
function partialData(name, errors) {
  const event = {
    code: "PARTIAL_DATA",
    operation: name,
    message: `${name} answered with data and ${errors.length} GraphQL error(s); the data is returned.`
  };
  return Object.defineProperty(event, "errors", { value: errors, enumerable: false });
}
export {
  nullList,
  nullRows,
  unwrap,
  unwrapData,
  unwrapResult,
  unwrapRows
};
