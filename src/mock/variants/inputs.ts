// The members of inputs that the contract does not show: a live service may name them differently, or accept any.
import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  parse,
} from 'graphql';
import { contractText } from '../../generated/contract-text.js';
import { isJsonObject } from '../core/json-object.js';
import type { MockVariant } from './variant.js';

let guessed: ReadonlySet<string> | null = null;

/** Names of the input types whose members this project assumes. */
function guessedInputs(): ReadonlySet<string> {
  guessed ??= new Set(
    parse(contractText, { noLocation: true }).definitions.flatMap((node) =>
      node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION && node.directives?.some(({ name }) => name.value === 'assumed')
        ? node.name.value
        : [],
    ),
  );
  return guessed;
}

/** Whether unknown members of this input type are ignored. */
export function ignoresUnknownMembers({ inputs }: MockVariant, strict: boolean): (typeName: string) => boolean {
  if (!strict) return () => true;
  if (inputs !== 'lenient' && inputs !== 'renamed-lenient') return () => false;
  return (typeName) => guessedInputs().has(typeName);
}

/** The contract names one member of an input whose others are assumed. */
const shownMembers: Readonly<Record<string, readonly string[]>> = { UnassignDriverInput: ['driverId'] };

/** Gives the assumed members of inputs other names: `name` becomes `nameValue`. */
export function renameGuessedInputs(schema: GraphQLSchema): void {
  for (const typeName of guessedInputs()) {
    const type = schema.getType(typeName);
    if (!isInputObjectType(type)) continue;
    // `getFields` returns the type's own map: what we change here changes the schema.
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

/** The arguments with the names that the resolvers know. */
export function withContractNames(args: object, types: readonly GraphQLArgument[]): object {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]: [string, unknown]) => {
      const type = types.find((argument) => argument.name === name)?.type;
      return [name, type === undefined ? value : restored(value, type)];
    }),
  );
}

function restored(value: unknown, type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable) && Array.isArray(value)) return value.map((item) => restored(item, nullable.ofType));
  if (!isInputObjectType(nullable) || !isJsonObject(value)) return value;
  const fields = nullable.getFields();
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const field = fields[name];
      const contractName = field?.extensions.contractName;
      return [typeof contractName === 'string' ? contractName : name, field ? restored(member, field.type) : member];
    }),
  );
}
