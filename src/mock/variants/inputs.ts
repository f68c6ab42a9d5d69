// Input members that the contract does not show: live services may rename them or accept any.
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

/** Returns the names of the input types with assumed members. */
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

/** Returns a function that is true for input types whose unknown members are ignored. */
export function ignoresUnknownMembers({ inputs }: MockVariant, strict: boolean): (typeName: string) => boolean {
  if (!strict) return () => true;
  if (inputs !== 'lenient' && inputs !== 'renamed-lenient') return () => false;
  return (typeName) => guessedInputs().has(typeName);
}

/** Contract members of inputs whose other members are assumed. */
const shownMembers: Readonly<Record<string, readonly string[]>> = { UnassignDriverInput: ['driverId'] };

/** Renames the assumed members of inputs: `name` becomes `nameValue`. */
export function renameGuessedInputs(schema: GraphQLSchema): void {
  for (const typeName of guessedInputs()) {
    const type = schema.getType(typeName);
    if (!isInputObjectType(type)) continue;
    // `getFields` returns the type's own map, so changes to it change the schema.
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
