import { contractFields } from "../../../contract/selection/fields.js";
import { isHeadingOf } from "../../output/headings.js";
function isPrinted(title, printed) {
  const words = wordsOf(title);
  return pathOf(words, printed.type) !== null || printed.views.some((view) => namesOf(view).some((name) => isHeadingOf(words, name)));
}
function wordsOf(title) {
  return title.replace(/ *\([^()]*\)$/, "");
}
function namesOf({ fields, computed = {}, added = {} }) {
  return [...fields, ...Object.keys(computed), ...Object.keys(added)];
}
function pathOf(words, root) {
  const path = [];
  let type = root;
  for (const step of words.split(".")) {
    const fields = type === void 0 ? [] : [...contractFields(type)];
    const found = fields.find(([name]) => name === step) ?? fields.find(([name]) => isHeadingOf(step, name));
    if (found === void 0) return null;
    path.push(found[0]);
    type = found[1].type;
  }
  return path;
}
function settersOf(title, { type }) {
  const [step = "", ...rest] = pathOf(wordsOf(title), type) ?? [];
  const record = contractFields(type).get(step)?.type;
  if (record === void 0 || rest.length === 0) return [];
  const name = `${record.charAt(0).toLowerCase()}${record.slice(1)}`;
  return [`${name}Id`, `${name}Ids`];
}
const commands = { "Person.driverTokens": "fleet tokens apply" };
function commandFor(title, { type }) {
  const name = `${type}.${pathOf(wordsOf(title), type)?.[0]}`;
  return Object.hasOwn(commands, name) ? commands[name] ?? null : null;
}
export {
  commandFor,
  isPrinted,
  settersOf
};
