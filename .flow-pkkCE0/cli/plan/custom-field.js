import { isObject } from "../../core/json.js";
import { didYouMean } from "../../core/suggestions.js";
import { CliError, refusal } from "../errors/cli-error.js";
import { commandFailureOf } from "../errors/exit-codes.js";
function customFieldInput(name, value) {
  return {
    input: { variable: "field", type: "CustomFieldInput" },
    flags: { name, value: value === "" ? null : value },
    refine(input, where) {
      if (typeof input.name === "string" && input.name.trim() !== "" && input.value !== void 0) return { ...input };
      const missing = input.value === void 0 && input.name !== void 0 ? "value" : "name";
      throw refusal(`${where}The ${missing} of the field is missing.`, {
        hint: `Give it as an argument, or as "${missing}" in --input; an empty value clears the field.`
      });
    }
  };
}
function slipInField(report, name, kind, records) {
  const names = new Set([...records].flatMap((row) => fieldNamesIn(row)));
  if (names.size === 0 || names.has(name)) return null;
  const hint = didYouMean(name, names);
  if (hint !== void 0) return { problem: `No ${kind} has a custom field "${name}".`, hint };
  report.warn(`No ${kind} that was read has a custom field "${name}": the service may refuse it.`);
  return null;
}
function fieldNamesIn(row) {
  const fields = Reflect.get(row, "customFields");
  return (Array.isArray(fields) ? fields : []).flatMap(
    (field) => isObject(field) && typeof field.name === "string" ? [field.name] : []
  );
}
function fieldSubject(kind) {
  return { kind, action: "update", wanted: ({ name, value }) => ({ customFields: [{ name, value }] }) };
}
async function explainRefusal(run, error, name, read) {
  const { code, message, details, operation, hint } = commandFailureOf(error, run.io.signal.aborted);
  if (code !== "NOT_FOUND" && code !== "GRAPHQL") return error;
  const names = await read().catch(() => []);
  if (names.length === 0 || names.includes(name)) return error;
  return new CliError(code, message, {
    operation: operation ?? void 0,
    details,
    hint: didYouMean(name, names) ?? hint ?? `The fields are ${names.map((field) => `"${field}"`).join(", ")}.`,
    cause: error
  });
}
function readCustomFields(given, where) {
  const list = isObject(given) ? Object.entries(given).map(([name, value]) => ({ name, value })) : Array.isArray(given) ? given : [null];
  const seen = /* @__PURE__ */ new Set();
  return list.map((field) => {
    const { name, value } = isObject(field) ? field : {};
    if (typeof name !== "string" || value === void 0) {
      throw refusal(`${where}customFields is neither an object nor a list of names and values.`, {
        hint: 'Write {"Cost centre": "4100"}; null clears a field.'
      });
    }
    if (name.trim() === "") throw refusal(`${where}A custom field has no name.`);
    if (seen.has(name)) throw refusal(`${where}The custom field "${name}" is given twice.`);
    seen.add(name);
    if (value === null || typeof value === "string") return { name, value };
    throw refusal(`${where}The value of the custom field "${name}" is not a text.`, { hint: "Write it in quotes." });
  });
}
function customFieldsIn(value) {
  const all = Array.isArray(value) ? value : [];
  return all.flatMap(
    (field) => isObject(field) && typeof field.name === "string" ? [{ name: field.name, value: field.value ?? null }] : []
  );
}
export {
  customFieldInput,
  customFieldsIn,
  explainRefusal,
  fieldSubject,
  readCustomFields,
  slipInField
};
