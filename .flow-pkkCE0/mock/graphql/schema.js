import {
  buildASTSchema,
  defaultFieldResolver,
  GraphQLObjectType,
  GraphQLScalarType,
  Kind,
  parse
} from "graphql";
import { contractText } from "../../generated/contract-text.js";
import { renameGuessedInputs, withContractNames } from "../variants/inputs.js";
import { applyStrictNullability } from "../variants/nullability.js";
import { checkPeriod, isDeletedRecord, variedResult } from "../variants/results.js";
import { applyValueForms } from "../variants/values.js";
import { rootResolvers, typeResolvers } from "./resolvers/resolver-map.js";
import { scalarBehaviour } from "./scalars.js";
function contractDocument() {
  const { definitions, ...document } = parse(contractText, { noLocation: true });
  const isMark = (node) => node.kind === Kind.DIRECTIVE_DEFINITION && node.name.value === "assumed" || node.kind === Kind.ENUM_TYPE_DEFINITION && node.name.value === "AssumedPart";
  return { ...document, definitions: definitions.filter((node) => !isMark(node)) };
}
function resolverOf(name, resolver) {
  return (_source, args, context, info) => {
    context.throwPlannedError(name);
    const planned = context.plannedAnswer(name, args);
    if (planned !== null) return planned.value;
    const { variant, scope } = context;
    checkPeriod(variant, name, args);
    const contractArgs = withContractNames(args, info.parentType.getFields()[name]?.args ?? []);
    return variedResult(variant, name, contractArgs, scope, resolver(contractArgs, context));
  };
}
function buildServiceSchema(timestamps, variant = {}) {
  const schema = buildASTSchema(contractDocument(), { assumeValid: true });
  const scalars = scalarBehaviour(timestamps);
  for (const type of Object.values(schema.getTypeMap())) {
    const behaviour = type instanceof GraphQLScalarType ? scalars[type.name] : void 0;
    if (behaviour !== void 0) Object.assign(type, behaviour);
    if (type instanceof GraphQLObjectType && !type.name.startsWith("__")) addResolvers(type);
  }
  applyValueForms(schema, variant);
  if (variant.nullability === "strict") applyStrictNullability(schema);
  if (variant.inputs === "renamed" || variant.inputs === "renamed-lenient") renameGuessedInputs(schema);
  return schema;
}
function computedOrAnswered(compute) {
  return (source, args, context, info) => context.isAnswered(source) ? defaultFieldResolver(source, args, context, info) : compute(source, context);
}
const resolvers = rootResolvers;
function addResolvers(type) {
  const isRoot = type.name === "Query" || type.name === "Mutation";
  for (const [name, field] of Object.entries(type.getFields())) {
    if (isRoot) {
      const resolver = resolvers[name];
      if (resolver === void 0)
        throw new Error(
          `The reference service has no resolver for ${type.name}.${name}: add one in src/mock/graphql/resolvers.`
        );
      field.resolve = resolverOf(name, resolver);
      continue;
    }
    const resolve = typeResolvers[type.name]?.[name];
    if (resolve !== void 0)
      field.resolve = computedOrAnswered((source, context) => resolve(source, context));
    else if (name === "isDeleted") field.resolve = computedOrAnswered(isDeletedRecord);
    else field.resolve = defaultFieldResolver;
  }
}
export {
  buildServiceSchema
};
