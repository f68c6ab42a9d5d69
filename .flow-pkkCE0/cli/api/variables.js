import { GraphQLError, Kind, parse } from "graphql";
import { didYouMean } from "../../core/suggestions.js";
import { CliError, refusal } from "../errors/cli-error.js";
import { jsonSlipText } from "../parse/json-slip-text.js";
import { parseKeyValue } from "../parse/key-value.js";
import { isTooDeep, MAX_LEVELS } from "../parse/nesting.js";
async function readVariables(document, pairs, readText) {
  const declared = declarationsOf(document);
  const texts = /* @__PURE__ */ new Map();
  const raw = /* @__PURE__ */ new Map();
  for (const pair of pairs) {
    const { name, value, isJson } = readPair(pair);
    if (!declared.has(name)) throw undeclared(name, declared);
    if (raw.has(name) || isJson && texts.has(name)) {
      throw new CliError("USAGE", `The variable $${name} is given twice, once as JSON.`, {
        hint: `Give its complete value once, as -v ${name}:=<json>.`
      });
    }
    if (isJson) raw.set(name, value);
    else texts.set(name, [...texts.get(name) ?? [], value]);
  }
  for (const [name, { type, optional }] of declared) {
    if (optional || texts.has(name) || raw.has(name)) continue;
    throw new CliError("USAGE", `The variable $${name} (${typeText(type)}) has no value.`, {
      hint: `Give it with -v ${name}=\u2026.`
    });
  }
  const variables = {};
  for (const [name, values] of texts) {
    const type = declared.get(name)?.type;
    if (type) variables[name] = await variableValue(name, type, values, readText);
  }
  for (const [name, value] of raw) {
    const type = declared.get(name)?.type;
    if (type) variables[name] = json(name, type, await textOf(value, readText));
  }
  return variables;
}
function mutationsIn(document) {
  return parse(document).definitions.flatMap(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION && definition.operation === "mutation" ? definition.selectionSet.selections.flatMap((one) => one.kind === Kind.FIELD ? [one.name.value] : []) : []
  );
}
function readPair(pair) {
  const parsed = parseKeyValue(pair);
  const name = parsed?.key.replace(/:$/, "");
  if (parsed && name) return { name, value: parsed.value, isJson: name !== parsed.key };
  throw new CliError("USAGE", "The value of a -v flag does not have the form key=value or key:=<json>.", {
    hint: "For example -v id=42, or -v id:=null."
  });
}
function declarationsOf(document) {
  const [operation, second] = parseDocument(document).definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION
  );
  if (!operation || second) {
    throw new CliError("USAGE", `The document has ${operation ? "more than one operation" : "no operation"}.`, {
      hint: "Send one operation at a time."
    });
  }
  return new Map(
    (operation.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => [
      variable.name.value,
      { type, optional: type.kind !== Kind.NON_NULL_TYPE || defaultValue !== void 0 }
    ])
  );
}
function parseDocument(document) {
  try {
    return parse(document);
  } catch (error) {
    if (error instanceof RangeError) {
      throw refusal("The document is nested too deeply to be read.");
    }
    if (!(error instanceof GraphQLError)) throw error;
    const at = error.locations?.[0];
    const where = at ? ` at line ${at.line}, column ${at.column}` : "";
    throw new CliError("USAGE", `The document is not GraphQL${where}: ${error.message}`, {
      hint: 'Put it in single quotes, so that the shell does not change $ and ".'
    });
  }
}
function undeclared(name, declared) {
  const names = [...declared.keys()];
  return new CliError("USAGE", `The document declares no variable $${name}.`, {
    hint: didYouMean(name, names) ?? (names.length === 0 ? "It declares no variables." : `It declares ${names.map((known) => `$${known}`).join(", ")}.`)
  });
}
async function variableValue(name, type, values, readText) {
  if (type.kind === Kind.NON_NULL_TYPE) return variableValue(name, type.type, values, readText);
  if (type.kind === Kind.LIST_TYPE) {
    const [only] = values;
    if (values.length === 1 && only !== void 0) {
      const text = await textOf(only, readText);
      if (/^\s*(\[|null\s*$)/.test(text)) return json(name, type, text);
      if (text !== only) return json(name, type, text);
    }
    return Promise.all(values.map((value2) => variableValue(name, type.type, [value2], readText)));
  }
  const [value = "", another] = values;
  if (another !== void 0) {
    throw new CliError("USAGE", `The variable $${name} has more than one value but is not a list.`);
  }
  return scalar(name, type, value, readText);
}
async function scalar(name, type, value, readText) {
  const expected = typeText(type);
  const refuse = () => new CliError("USAGE", `The value of the variable $${name} is not of type ${expected}.`);
  switch (expected) {
    case "Int":
    case "Long": {
      if (value === "null") return null;
      if (!/^[+-]?\d+$/.test(value) || !Number.isSafeInteger(Number(value))) throw refuse();
      return Number(value);
    }
    case "Float": {
      if (value === "null") return null;
      if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) || !Number.isFinite(Number(value))) throw refuse();
      return Number(value);
    }
    case "Boolean":
      if (value === "true") return true;
      if (value === "false") return false;
      if (value === "null") return null;
      throw refuse();
    case "String":
    case "ID":
    case "UUID":
    case "DateTime":
      return value;
    default: {
      const isJson = expected === "JSON" || expected.endsWith("Input") || /^\s*\{/.test(value);
      return isJson ? json(name, type, await textOf(value, readText)) : value;
    }
  }
}
function textOf(value, readText) {
  return value === "-" || value.startsWith("@") ? readText(value) : value;
}
function json(name, type, text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CliError("USAGE", `The variable $${name} must be JSON of type ${typeText(type)}.`, {
      hint: jsonSlipText(text)
    });
  }
  if (isTooDeep(value)) {
    throw refusal(`The variable $${name} is nested deeper than ${MAX_LEVELS} levels.`);
  }
  return value;
}
function typeText(type) {
  if (type.kind === Kind.NON_NULL_TYPE) return `${typeText(type.type)}!`;
  return type.kind === Kind.LIST_TYPE ? `[${typeText(type.type)}]` : type.name.value;
}
export {
  mutationsIn,
  parseDocument,
  readVariables
};
