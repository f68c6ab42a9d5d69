// The executable schema: the contract's text with the service's resolvers. What this project marks as its own guesses is
// taken out, so that introspection shows what a real service would show.
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
import type { Context } from './context.js';
import { rootFields, typeFields } from './resolvers/table.js';
import { scalarBehaviour, type TimestampForm } from './scalars.js';

type Resolve = GraphQLFieldResolver<unknown, Context>;

function contract(): DocumentNode {
  const document = parse(contractText, { noLocation: true });
  const guess = { directive: 'assumed', enumeration: 'AssumedPart' };
  return visit(document, {
    enter(node) {
      const isGuess =
        ((node.kind === Kind.DIRECTIVE || node.kind === Kind.DIRECTIVE_DEFINITION) &&
          node.name.value === guess.directive) ||
        (node.kind === Kind.ENUM_TYPE_DEFINITION && node.name.value === guess.enumeration);
      return isGuess ? null : undefined;
    },
  });
}

/** A root field: runs its operation, unless a planned fault makes it fail. */
function rootResolver(name: string, run: (args: never, context: Context) => unknown): Resolve {
  return (_source, args, context) => {
    context.failAsPlanned(name);
    // The arguments were checked against the schema, and the operation declares them as the schema has them.
    return run(args as never, context);
  };
}

export function buildServiceSchema(timestamps: TimestampForm): GraphQLSchema {
  const schema = buildASTSchema(contract(), { assumeValid: true });
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
      const run = rootFields[name];
      if (run === undefined) throw new Error(`the reference service has no resolver for ${type.name}.${name}`);
      field.resolve = rootResolver(name, run);
      continue;
    }
    const resolve = typeFields[type.name]?.[name];
    // graphql-js hands a resolver what its parent resolved to; the table pairs each type with the records it stands for.
    if (resolve !== undefined)
      field.resolve = ((source, _args, context) => resolve(source as never, context)) as Resolve;
    // Deleted records are never returned, so no record that is returned is deleted.
    else if (name === 'isDeleted') field.resolve = () => false;
    else field.resolve = defaultFieldResolver;
  }
}
