// The executable schema: the contract with the service's resolvers. The marks of this project's assumptions are removed, so that
// introspection shows what a live service would show.
import {
  buildASTSchema,
  type DocumentNode,
  defaultFieldResolver,
  type GraphQLFieldResolver,
  GraphQLObjectType,
  GraphQLScalarType,
  type GraphQLSchema,
  Kind,
  parse,
  visit,
} from 'graphql';
import { contractText } from '../../generated/contract-text.js';
import type { RequestContext } from './request-context.js';
import { rootResolvers, typeResolvers } from './resolvers/resolver-map.js';
import { scalarBehaviour, type TimestampForm } from './scalars.js';

type Resolve = GraphQLFieldResolver<unknown, RequestContext>;

function contractDocument(): DocumentNode {
  const document = parse(contractText, { noLocation: true });
  const assumption = { directive: 'assumed', enumeration: 'AssumedPart' };
  return visit(document, {
    enter(node) {
      const isAssumption =
        ((node.kind === Kind.DIRECTIVE || node.kind === Kind.DIRECTIVE_DEFINITION) &&
          node.name.value === assumption.directive) ||
        (node.kind === Kind.ENUM_TYPE_DEFINITION && node.name.value === assumption.enumeration);
      return isAssumption ? null : undefined;
    },
  });
}

/** Resolves a root field, unless a planned fault makes it fail. */
function resolverOf(name: string, resolver: (args: never, context: RequestContext) => unknown): Resolve {
  return (_source, args, context) => {
    context.throwPlannedError(name);
    // graphql-js has coerced the arguments by the schema, from whose types the resolver's argument types are generated.
    return resolver(args as never, context);
  };
}

export function buildServiceSchema(timestamps: TimestampForm): GraphQLSchema {
  const schema = buildASTSchema(contractDocument(), { assumeValid: true });
  const scalars = scalarBehaviour(timestamps);
  for (const type of Object.values(schema.getTypeMap())) {
    const behaviour = type instanceof GraphQLScalarType ? scalars[type.name] : undefined;
    if (behaviour !== undefined) Object.assign(type, behaviour);
    if (type instanceof GraphQLObjectType && !type.name.startsWith('__')) addResolvers(type);
  }
  return schema;
}

function addResolvers(type: GraphQLObjectType): void {
  const isRoot = type.name === 'Query' || type.name === 'Mutation';
  for (const [name, field] of Object.entries(type.getFields())) {
    if (isRoot) {
      const resolver = rootResolvers[name];
      if (resolver === undefined) throw new Error(`the reference service has no resolver for ${type.name}.${name}`);
      field.resolve = resolverOf(name, resolver);
      continue;
    }
    const resolve = typeResolvers[type.name]?.[name];
    // graphql-js passes the value of the parent field; the resolver map pairs each type with its record.
    if (resolve !== undefined)
      field.resolve = ((source, _args, context) => resolve(source as never, context)) as Resolve;
    // The service never returns deleted records.
    else if (name === 'isDeleted') field.resolve = () => false;
    else field.resolve = defaultFieldResolver;
  }
}
