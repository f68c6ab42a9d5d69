// The executable schema: the contract with the service's resolvers. The marks of this project's assumptions are removed, so that
// introspection shows what a live service would show.
import {
  buildASTSchema,
  type DefinitionNode,
  type DocumentNode,
  defaultFieldResolver,
  type GraphQLFieldResolver,
  GraphQLObjectType,
  GraphQLScalarType,
  type GraphQLSchema,
  Kind,
  parse,
} from 'graphql';
import { contractText } from '../../generated/contract-text.js';
import { renameGuessedInputs, withContractNames } from '../variants/inputs.js';
import { applyStrictNullability } from '../variants/nullability.js';
import { checkPeriod, isDeletedRecord, variedResult } from '../variants/results.js';
import { applyValueForms } from '../variants/values.js';
import type { MockVariant } from '../variants/variant.js';
import type { RequestContext } from './request-context.js';
import { type RootResolver, rootResolvers, typeResolvers } from './resolvers/resolver-map.js';
import { scalarBehaviour, type TimestampForm } from './scalars.js';

type Resolve = GraphQLFieldResolver<unknown, RequestContext>;

function contractDocument(): DocumentNode {
  const { definitions, ...document } = parse(contractText, { noLocation: true });
  // The marks on the fields stay: introspection does not show them, and taking them out would double the time of this function.
  const isMark = (node: DefinitionNode): boolean =>
    (node.kind === Kind.DIRECTIVE_DEFINITION && node.name.value === 'assumed') ||
    (node.kind === Kind.ENUM_TYPE_DEFINITION && node.name.value === 'AssumedPart');
  return { ...document, definitions: definitions.filter((node) => !isMark(node)) };
}

/** Resolves a root field, unless a planned fault makes it fail or an answer is planned for it. */
function resolverOf(name: string, resolver: (args: never, context: RequestContext) => unknown): Resolve {
  return (_source, args, context, info) => {
    context.throwPlannedError(name);
    const planned = context.plannedAnswer(name, args);
    if (planned !== null) return planned.value;
    const { variant, scope } = context;
    checkPeriod(variant, name, args);
    const contractArgs = withContractNames(args, info.parentType.getFields()[name]?.args ?? []);
    // graphql-js has coerced the arguments by the schema, from whose types the resolver's argument types are generated.
    return variedResult(variant, name, contractArgs, scope, resolver(contractArgs as never, context));
  };
}

/** The schema of a service with this variant. */
export function buildServiceSchema(timestamps: TimestampForm, variant: MockVariant = {}): GraphQLSchema {
  const schema = buildASTSchema(contractDocument(), { assumeValid: true });
  const scalars = scalarBehaviour(timestamps);
  for (const type of Object.values(schema.getTypeMap())) {
    const behaviour = type instanceof GraphQLScalarType ? scalars[type.name] : undefined;
    if (behaviour !== undefined) Object.assign(type, behaviour);
    if (type instanceof GraphQLObjectType && !type.name.startsWith('__')) addResolvers(type);
  }
  applyValueForms(schema, variant);
  if (variant.nullability === 'strict') applyStrictNullability(schema);
  if (variant.inputs === 'renamed' || variant.inputs === 'renamed-lenient') renameGuessedInputs(schema);
  return schema;
}

/** A field of a record is computed; one of a planned answer is what the answer says. */
function computedOrAnswered(compute: (source: unknown, context: RequestContext) => unknown): Resolve {
  return (source, args, context, info) =>
    context.isAnswered(source) ? defaultFieldResolver(source, args, context, info) : compute(source, context);
}

const resolvers: Readonly<Record<string, RootResolver>> = rootResolvers;

function addResolvers(type: GraphQLObjectType): void {
  const isRoot = type.name === 'Query' || type.name === 'Mutation';
  for (const [name, field] of Object.entries(type.getFields())) {
    if (isRoot) {
      const resolver = resolvers[name];
      if (resolver === undefined)
        throw new Error(
          `The reference service has no resolver for ${type.name}.${name}: add one in src/mock/graphql/resolvers.`,
        );
      field.resolve = resolverOf(name, resolver);
      continue;
    }
    const resolve = typeResolvers[type.name]?.[name];
    // graphql-js passes the value of the parent field; the resolver map pairs each type with its record.
    if (resolve !== undefined)
      field.resolve = computedOrAnswered((source, context) => resolve(source as never, context));
    else if (name === 'isDeleted') field.resolve = computedOrAnswered(isDeletedRecord);
    else field.resolve = defaultFieldResolver;
  }
}
