import { isObject } from "../../core/json.js";
function parseEntry(n, text) {
  const [first, ...others] = text.split("\n").filter((line) => line !== "");
  const head = first === void 0 ? null : headIn(first);
  if (head === null) return null;
  const intents = [];
  const outcomes = /* @__PURE__ */ new Map();
  let isDamaged = false;
  for (const line of others.map(objectIn)) {
    if (line !== null && isIntent(line)) intents.push(line);
    else if (line !== null && isOutcome(line)) outcomes.set(line.step, outcomeIn(line));
    else isDamaged = true;
  }
  const steps = intents.map(
    ({ step, ...intent }) => ({
      outcome: "unknown",
      ...intent,
      ...outcomes.get(step)
    })
  );
  return { n, ...head, steps, isDamaged };
}
function headIn(text) {
  const line = objectIn(text);
  if (line === null || line.journal !== 1) return null;
  const { at, command, undoes = null, part, profile, baseUrl = null, login = null, user = null } = line;
  if (!isMoment(at) || typeof command !== "string" || typeof profile !== "string") return null;
  if (!isTextOrNull(baseUrl) || !isTextOrNull(login)) return null;
  if (undoes !== null && typeof undoes !== "number") return null;
  if (part !== void 0 && !isTextList(part)) return null;
  return { at, command, undoes, part, profile, baseUrl, login, user: isObject(user) ? userIn(user) : null };
}
function userIn(user) {
  const text = (name) => {
    const value = user[name];
    return typeof value === "string" ? value : null;
  };
  return {
    userId: text("userId"),
    fleetId: text("fleetId"),
    userName: text("userName"),
    fleetName: text("fleetName")
  };
}
function isIntent(line) {
  const { step, at, operations, records } = line;
  return typeof step === "number" && isMoment(at) && isTextList(operations) && Array.isArray(records) && records.every(isRecord);
}
const actions = ["create", "update", "keep", "delete"];
function isRecord(value) {
  if (!isObject(value)) return false;
  const { kind, action, name, id, changes, pair, formerId, told, dependents } = value;
  return typeof kind === "string" && actions.includes(action) && typeof name === "string" && isTextOrNull(id) && Array.isArray(changes) && changes.every((change) => isObject(change) && typeof change.field === "string") && (pair === void 0 || isObject(pair) && typeof pair.vehicleId === "string" && typeof pair.driverId === "string") && (formerId === void 0 || typeof formerId === "string") && (told === void 0 || typeof told === "string") && (dependents === void 0 || isDependents(dependents));
}
function isDependents(value) {
  if (!isObject(value)) return false;
  const { rules = [], groups = [], assignments = [] } = value;
  return [rules, groups].every((list) => isListOf(list, ["id", "name"])) && isListOf(assignments, ["vehicleId", "startedAt"]);
}
function isListOf(value, members) {
  const hasAll = (one) => isObject(one) && members.every((name) => typeof one[name] === "string");
  return Array.isArray(value) && value.every(hasAll);
}
const outcomeNames = ["done", "failed", "unknown"];
function isOutcome(line) {
  const { step, outcome, id = null, joined = [], left = [] } = line;
  return typeof step === "number" && outcomeNames.includes(outcome) && isTextOrNull(id) && isTextList(joined) && isTextList(left);
}
function outcomeIn({ outcome, id, joined, left }) {
  return {
    outcome,
    ...id === void 0 ? {} : { id },
    ...joined === void 0 ? {} : { joined },
    ...left === void 0 ? {} : { left }
  };
}
function isMoment(value) {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}
function isTextOrNull(value) {
  return value === null || typeof value === "string";
}
function isTextList(value) {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
function objectIn(line) {
  try {
    const value = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
export {
  parseEntry
};
