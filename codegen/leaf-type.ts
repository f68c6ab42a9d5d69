// Returns the type of a leaf field, written out, so that an editor shows `string` and no alias.
import {
  type GraphQLField,
  type GraphQLOutputType,
  getNullableType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';

export interface ValueTypes {
  readonly scalars: Readonly<Record<string, string | { readonly output: string }>>;
  /** More precise types of fields, by `Type.field`, with the package of the type. */
  readonly fieldTypes?: Readonly<Record<string, { readonly type: string; readonly from: string }>>;
}

const builtIn: ValueTypes['scalars'] = {
  ID: 'string',
  String: 'string',
  Boolean: 'boolean',
  Int: 'number',
  Float: 'number',
};

export function leafType(owner: string, field: GraphQLField<unknown, unknown>, types: ValueTypes): string {
  const fieldType = types.fieldTypes?.[`${owner}.${field.name}`];
  return fieldType ? `${fieldType.type} | null` : nullable(field.type, types);
}

/** Returns the result type of an operation with plain values: a list without nulls, or a value. */
export function plainResult(type: GraphQLOutputType, types: ValueTypes): string {
  const outer = getNullableType(type);
  return isListType(outer) ? `${present(getNullableType(outer.ofType), types)}[]` : nullable(type, types);
}

/** Returns the imports for `fieldTypes`, custom scalars (`file#Type`) and enumerations. */
export function valueImports({ fieldTypes = {}, scalars }: ValueTypes): string[] {
  const imports = Object.values(fieldTypes).map(({ type, from }) => `import type { ${type} } from '${from}';`);
  const ofScalars = Object.values(scalars).flatMap((scalar) => {
    const [from, type] = String(scalar).split('#');
    return type === undefined ? [] : [`import type { ${type} } from '${from}';`];
  });
  return [...new Set([...imports, ...ofScalars]), "import type * as contract from './contract-types.js';"];
}

function nullable(type: GraphQLOutputType, types: ValueTypes): string {
  if (isNonNullType(type)) return present(type.ofType, types);
  const value = present(type, types);
  return value === 'unknown' ? value : `${value} | null`;
}

function present(type: GraphQLOutputType, types: ValueTypes): string {
  if (isListType(type)) return `(${nullable(type.ofType, types)})[]`;
  if (!isScalarType(type)) return `contract.${String(type)}`;
  const scalar = { ...builtIn, ...types.scalars }[type.name];
  if (scalar === undefined) throw new Error(`the scalar ${type.name} has no TypeScript type in codegen.ts`);
  return typeof scalar === 'string' ? scalar.replace(/^.*#/, '') : scalar.output;
}
