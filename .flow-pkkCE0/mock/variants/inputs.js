import {
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  parse
} from "graphql";
import { contractText } from "../../generated/contract-text.js";
import { isJsonObject } from "../core/json-object.js";
let guessed = null;
function guessedInputs() {
  guessed ??= new Set(
    parse(contractText, { noLocation: true }).definitions.flatMap(
      (node) => node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION && node.directives?.some(({ name }) => name.value === "assumed") ? node.name.value : []
    )
  );
  return guessed;
}
function ignoresUnknownMembers({ inputs }, strict) {
  if (!strict) return () => true;
  if (inputs !== "lenient" && inputs !== "renamed-lenient") return () => false;
  return (typeName) => guessedInputs().has(typeName);
}
const shownMembers = { UnassignDriverInput: ["driverId"] };
function renameGuessedInputs(schema) {
  for (const typeName of guessedInputs()) {
    const type = schema.getType(typeName);
    if (!isInputObjectType(type)) continue;
    const fields = type.getFields();
    for (const [name, field] of Object.entries(fields)) {
      if (shownMembers[typeName]?.includes(name)) continue;
      delete fields[name];
      field.name = `${name}Value`;
      field.extensions = { ...field.extensions, contractName: name };
      fields[field.name] = field;
    }
  }
}
function withContractNames(args, types) {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const type = types.find((argument) => argument.name === name)?.type;
      return [name, type === void 0 ? value : restored(value, type)];
    })
  );
}
function restored(value, type) {
  const nullable = getNullableType(type);
  if (isListType(nullable) && Array.isArray(value)) return value.map((item) => restored(item, nullable.ofType));
  if (!isInputObjectType(nullable) || !isJsonObject(value)) return value;
  const fields = nullable.getFields();
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const field = fields[name];
      const contractName = field?.extensions.contractName;
      return [typeof contractName === "string" ? contractName : name, field ? restored(member, field.type) : member];
    })
  );
}
export {
  ignoresUnknownMembers,
  renameGuessedInputs,
  withContractNames
};
