// The contract of a service variant: the executable schema with the service's resolvers, and the
// validated documents. The project's own `assumed` directive is removed, so introspection matches a
// live service.
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
import { SharedCache } from '../core/shared-cache.js';
import { ignoresUnknownMembers, renameGuessedInputs, withContractNames } from '../variants/inputs.js';
import { applyStrictNullability } from '../variants/nullability.js';
import { checkPeriod, isDeletedRecord, variedResult } from '../variants/results.js';
import { applyValueForms } from '../variants/values.js';
import type { MockVariant } from '../variants/variant.js';
import { DocumentCache } from './document-cache.js';
import type { Schemas } from './execute.js';
import type { RequestContext } from './request-context.js';
import { type RootResolver, rootResolvers, typeResolvers } from './resolvers/resolver-map.js';
import { streamingSchema } from './row-stream.js';
import { scalarBehaviour, type TimestampForm } from './scalars.js';

type Resolve = GraphQLFieldResolver<unknown, RequestContext>;

function contractDocument(): DocumentNode {
  const { definitions, ...document } = parse(contractText, { noLocation: true });
  // Directives on fields stay: introspection hides them, and removing them would double the time.
  const isMark = (node: DefinitionNode): boolean =>
    (node.kind === Kind.DIRECTIVE_DEFINITION && node.name.value === 'assumed') ||
    (node.kind === Kind.ENUM_TYPE_DEFINITION && node.name.value === 'AssumedPart');
  return { ...document, definitions: definitions.filter((node) => !isMark(node)) };
}

/** Returns a field resolver that tries planned errors and planned answers first. */
function resolverOf(name: string, resolver: (args: never, context: RequestContext) => unknown): Resolve {
  return (_source, args, context, info) => {
    context.throwPlannedError(name);
    const planned = context.plannedAnswer(name, args);
    if (planned !== null) return planned.value;
    const { variant, scope } = context;
    checkPeriod(variant, name, args);
    const contractArgs = withContractNames(args, info.parentType.getFields()[name]?.args ?? []);
    // The resolvers' argument types are generated from the schema, by which graphql-js coerces.
    return variedResult(variant, name, contractArgs, scope, resolver(contractArgs as never, context));
  };
}

function buildServiceSchema(timestamps: TimestampForm, variant: MockVariant): GraphQLSchema {
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

/** Computes the field of a record; planned answers contain their own value. */
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
    // The resolver map pairs each type with its record, the parent value.
    if (resolve !== undefined)
      field.resolve = computedOrAnswered((source, context) => resolve(source as never, context));
    else if (name === 'isDeleted') field.resolve = computedOrAnswered(isDeletedRecord);
    else field.resolve = defaultFieldResolver;
  }
}

export interface Contract {
  readonly schemas: Schemas;
  readonly documents: DocumentCache;
}

/** Cached, because building a schema takes longer than answering most requests. */
const contracts = new SharedCache<Contract>(4);

export function contractOf(timestamps: TimestampForm, variant: MockVariant, strict: boolean): Contract {
  return contracts.get(JSON.stringify([timestamps, strict, variant]), () => {
    const standard = buildServiceSchema(timestamps, variant);
    let streaming: ReturnType<typeof streamingSchema> | null = null;
    return {
      schemas: {
        standard,
        streaming: () => {
          streaming ??= streamingSchema(standard);
          return streaming;
        },
      },
      documents: new DocumentCache(standard, {
        dropsUnknownKeys: ignoresUnknownMembers(variant, strict),
        allowsIntrospection: variant.introspection !== 'off',
      }),
    };
  });
}
