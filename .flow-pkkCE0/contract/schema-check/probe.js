import {
  buildSchema,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType
} from "graphql";
import { GraphQLResponseError } from "../../core/errors.js";
import { contractText } from "../../generated/contract-text.js";
import { guessedInputs } from "../../generated/input-map.js";
import { operations } from "../../generated/operation-table.js";
import { assumptionsOf } from "./assumptions.js";
async function probe(client, options) {
  const contract = buildSchema(contractText, { noLocation: true });
  const ask = async (name, document2, variables) => {
    try {
      return misanswered(name, await client.request(document2, variables, options));
    } catch (error) {
      if (GraphQLResponseError.is(error)) return error.serviceErrors.map(({ message }) => message);
      throw error;
    }
  };
  const isSkipRespected = await respectsSkip(client, options);
  const found = [];
  for (const { name, kind, document: document2, args } of Object.values(operations)) {
    if (kind === "mutation" && !isSkipRespected) {
      found.push({
        operation: name,
        status: "unknown",
        reasons: ["the service does not respect @skip, so it was not sent"]
      });
      continue;
    }
    const reasons = await ask(name, skipped(name, document2), variablesOf(contract, name, "shown"));
    found.push(findingOf(name, args, reasons));
  }
  const assumptions = [];
  for (const assumption of assumptionsOf(contract))
    assumptions.push(await probeAssumption(contract, assumption, ask, found, isSkipRespected));
  return { source: "probing", operations: found, assumptions, changes: [] };
}
function misanswered(name, data) {
  const [member] = Object.keys(data);
  if (member === void 0 || Object.hasOwn(data, name)) return [];
  return [`the answer has the member ${member.slice(0, LONGEST_MEMBER)} in data, and not ${name}`];
}
const LONGEST_MEMBER = 64;
function findingOf(operation, args, reasons) {
  if (reasons.length === 0) return { operation, status: "works", reasons };
  const isGuessed = args.some(({ type }) => guessedInputs.includes(type.replace(/[[\]!]/g, "")));
  const isAboutInput = isGuessed && reasons.every((reason) => /\bvariable\b/i.test(reason));
  if (!isAboutInput) return { operation, status: "breaks", reasons };
  return {
    operation,
    status: "unknown",
    reasons: ["the service demands members of the input that the contract does not show", ...reasons]
  };
}
function variablesOf(contract, operation, members) {
  const given = operations[operation].args.map((arg) => [
    arg.name,
    placeholder(argumentType(contract, operation, arg.name), members)
  ]);
  return Object.fromEntries(given);
}
async function respectsSkip(client, options) {
  try {
    const data = await client.request("query getRoles { getRoles @skip(if: true) { id } }", {}, options);
    return Object.keys(data).length === 0;
  } catch (error) {
    if (GraphQLResponseError.is(error)) return false;
    throw error;
  }
}
function skipped(name, document2) {
  return document2.replace(new RegExp(`(\\{\\s*${name}(?:\\([^)]*\\))?)`), "$1 @skip(if: true)");
}
function argumentType(contract, operation, name) {
  const roots = [contract.getQueryType(), contract.getMutationType()];
  const field = roots.map((root) => root?.getFields()[operation]).find((one) => one !== void 0);
  return field?.args.find((arg) => arg.name === name)?.type;
}
function placeholder(type, members) {
  if (type === void 0) return null;
  if (isNonNullType(type)) return placeholder(type.ofType, members);
  if (isListType(type)) return [];
  if (isInputObjectType(type)) {
    const isWhole = members === "all" || !guessedInputs.includes(type.name);
    const sent = Object.values(type.getFields()).filter((field) => isWhole || isNonNullType(field.type));
    return Object.fromEntries(sent.map((field) => [field.name, placeholder(field.type, members)]));
  }
  return placeholders[type.name] ?? "";
}
const placeholders = {
  UUID: "00000000-0000-0000-0000-000000000000",
  DateTime: "2000-01-01T00:00:00Z",
  Boolean: false,
  Int: 0,
  Long: 0,
  Float: 0,
  JSON: {}
};
async function probeAssumption(contract, { where, part }, ask, found, isSkipRespected) {
  const unknown = (detail) => ({ where, part, status: "unknown", detail });
  if (part === "LEAF_TYPE")
    return unknown("a service that does not describe itself does not tell the types of its values");
  if (part === "INPUT") {
    const taker = takerOf(where, found, isSkipRespected);
    if (taker === null) return unknown("no operation that could be sent takes it");
    const reasons2 = await ask(taker, skipped(taker, operations[taker].document), variablesOf(contract, taker, "all"));
    return { where, part, status: reasons2.length === 0 ? "confirmed" : "refuted", detail: reasons2.join("; ") || null };
  }
  const query = documentTo(contract, where);
  if (query === null) return unknown("no query without arguments leads there");
  const reasons = await ask(query.root, query.text, {});
  return { where, part, status: reasons.length === 0 ? "confirmed" : "refuted", detail: reasons.join("; ") || null };
}
function takerOf(where, found, isSkipRespected) {
  const type = where.replace("input ", "");
  const taker = found.find(({ operation, status }) => {
    const { args, kind } = operations[operation];
    const takes = args.some((arg) => arg.type.replace(/[[\]!]/g, "") === type);
    return takes && status !== "breaks" && (kind === "query" || isSkipRespected);
  });
  return taker?.operation ?? null;
}
function documentTo(contract, where) {
  const [kind = "", name] = where.split(" ");
  const [owner = "", member = ""] = name === void 0 ? kind.split(".") : [name];
  const queue = [];
  for (const field of Object.values(contract.getQueryType()?.getFields() ?? {})) {
    if (field.args.length === 0) queue.push({ type: field.type, path: [field.name] });
  }
  const seen = /* @__PURE__ */ new Set();
  for (let at = queue.shift(); at !== void 0; at = queue.shift()) {
    const type = getNamedType(at.type);
    if (!isObjectType(type) || seen.has(type.name)) continue;
    seen.add(type.name);
    const fields = Object.values(type.getFields());
    if (type.name === owner) {
      const wanted = member === "" ? fields : fields.filter((field) => field.name === member);
      return document(at.path, wanted.map(selectionOf).join(" "));
    }
    for (const field of fields) queue.push({ type: field.type, path: [...at.path, field.name] });
  }
  return null;
}
function document(path, selection) {
  const [root = "", ...below] = path;
  const body = below.reduceRight((inner, name) => `{ ${name} ${inner} }`, `{ ${selection} }`);
  return { root, text: `query ${root} { ${root} @skip(if: true) ${body} }` };
}
function selectionOf(field) {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) return field.name;
  const below = Object.values(type.getFields());
  const plain = below.filter((one) => !isObjectType(getNamedType(one.type))).map(({ name }) => name);
  const inner = plain.length > 0 ? plain.join(" ") : below.slice(0, 1).map(selectionOf).join(" ");
  return `${field.name} { ${inner} }`;
}
export {
  probe
};
