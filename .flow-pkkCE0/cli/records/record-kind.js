import { isSameText, withoutSeparators } from "./names.js";
function textsOf({ texts }, row) {
  return texts.flatMap((text) => textIn(text, row) ?? []);
}
function textIn({ members }, row) {
  const parts = members.map((member) => Reflect.get(row, member)).filter(isFilled);
  return parts.length === 0 ? null : parts.join(" ");
}
function isFilled(value) {
  return typeof value === "string" && value.trim() !== "";
}
function recordId(row) {
  const id = Reflect.get(row, "id");
  return typeof id === "string" && id !== "" ? id : null;
}
function isSameIn({ ignoresSeparators }, { form }, one, other) {
  return isSameText(one, other, form) || ignoresSeparators === true && withoutSeparators(one, form) === withoutSeparators(other, form);
}
function recordName(kind, row) {
  return textsOf(kind, row)[0] ?? null;
}
function choiceOf({ texts, shownBeside = [] }, row) {
  const others = shownBeside.map((member) => [member, String(Reflect.get(row, member) ?? "")]);
  const named = texts.map((text) => [text.members.length > 1 ? "name" : text.members[0] ?? "", textIn(text, row)]);
  return { id: recordId(row), ...Object.fromEntries([...named, ...others]) };
}
function rowsIn({ within }, listed) {
  return within ? within(listed) : listed;
}
export {
  choiceOf,
  isSameIn,
  recordId,
  recordName,
  rowsIn,
  textIn,
  textsOf
};
