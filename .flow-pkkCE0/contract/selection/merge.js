import { refusesToken } from "../../core/token-refusal.js";
import { fragments as table } from "../../generated/operation-table.js";
const fragmentTexts = table;
function identityOf({ field, variables }) {
  return `${field.name} ${field.selection} ${JSON.stringify(variables)}`;
}
function mergedDocument(calls) {
  const variables = {};
  const declared = [];
  const fields = [];
  const fragments = /* @__PURE__ */ new Set();
  for (const [at, { field, variables: given }] of calls.entries()) {
    const passed = [];
    for (const { name, type } of field.args) {
      if (given[name] === void 0) continue;
      const renamed = `${name}_${at}`;
      variables[renamed] = given[name];
      declared.push(`$${renamed}: ${type}`);
      passed.push(`${name}: $${renamed}`);
    }
    const args = passed.length === 0 ? "" : `(${passed.join(", ")})`;
    fields.push(`${aliasOf(at)}: ${field.name}${args} ${field.selection}`);
    for (const name of field.fragments) fragments.add(name);
  }
  const head = declared.length === 0 ? "query" : `query (${declared.join(", ")})`;
  const texts = [...fragments].map((name) => fragmentTexts[name] ?? "");
  return { document: [`${head} {
${fields.join("\n")}
}`, ...texts].join("\n"), variables };
}
function splitAnswer(fields, answer) {
  const { data } = answer;
  if (typeof data !== "object" || data === null) return null;
  const errors = /* @__PURE__ */ new Map();
  for (const error of answer.errors) {
    const alias = error.path?.[0];
    const before = errors.get(alias);
    if (before) before.push(error);
    else errors.set(alias, [error]);
  }
  const answers = [];
  for (const [at, { name }] of fields.entries()) {
    const alias = aliasOf(at);
    const value = Reflect.get(data, alias);
    const own = errors.get(alias) ?? [];
    errors.delete(alias);
    if (value === void 0) return null;
    const isRefused = value === null && own.some(refusesToken);
    answers.push(isRefused ? "alone" : { data: { [name]: value }, errors: own.map((error) => asAlone(error, name)) });
  }
  return errors.size === 0 ? answers : null;
}
function areAllNamed(count, errors) {
  const named = new Set(errors.map(({ path }) => path?.[0]));
  return named.has(void 0) || Array.from({ length: count }, (_, at) => aliasOf(at)).every((alias) => named.has(alias));
}
function aliasOf(at) {
  return `q${at}`;
}
function asAlone({ locations: _, ...error }, name) {
  const alias = String(error.path?.[0]);
  const message = error.message.replace(`(/${alias})`, `(/${name})`).replace(`(/${alias}/`, `(/${name}/`);
  return { ...error, message, path: [name, ...(error.path ?? []).slice(1)] };
}
export {
  aliasOf,
  areAllNamed,
  identityOf,
  mergedDocument,
  splitAnswer
};
