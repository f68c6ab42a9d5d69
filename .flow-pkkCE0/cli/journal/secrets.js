import { isObject } from "../../core/json.js";
const tokenNoun = "driver token";
const SECRET_NAME = /passw|passcode|secret(?!ar)|token|credential|api.?key|\bpin\b/i;
function isSecretName(name) {
  return SECRET_NAME.test(name);
}
function withoutSecrets(record) {
  const isToken = record.kind === tokenNoun;
  return {
    ...record,
    // People know a token by its value.
    name: isToken ? tokenNoun : record.name,
    changes: record.changes.map((change) => keptChange(change, isToken))
  };
}
function keptChange(change, isToken) {
  const { field } = change;
  if (field === "driverTokens")
    return { field, before: withoutValues(change.before), after: withoutValues(change.after) };
  if (isToken && field === "value" || isSecretName(field)) return { field, isSecret: true };
  const kept = { ...change };
  for (const side of ["before", "after"]) {
    if (side in change) Object.assign(kept, { [side]: withoutSecretMembers(change[side]) });
  }
  return kept;
}
function withoutValues(tokens) {
  if (!Array.isArray(tokens)) return null;
  return tokens.filter(isObject).map(({ id }) => ({ id }));
}
function withoutSecretMembers(value) {
  if (Array.isArray(value)) return value.filter((one) => !isSecretField(one)).map(withoutSecretMembers);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(
      ([name, member]) => isSecretName(name) ? [] : [[name, withoutSecretMembers(member)]]
    )
  );
}
function isSecretField(value) {
  return isObject(value) && typeof value.name === "string" && "value" in value && isSecretName(value.name);
}
export {
  isSecretName,
  withoutSecrets
};
