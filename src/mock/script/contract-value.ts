// Checks values that a test wants the service to answer, by the types of the contract, and converts them to the form in which the
// service holds its own: times in epoch milliseconds. Members that are left out are answered as null.
import { Kind, parse, type TypeNode } from 'graphql';
import { contractText } from '../../generated/contract-text.js';
import {
  anyTime,
  boolean,
  fail,
  json,
  list,
  number,
  object,
  oneOf,
  optional,
  orNull,
  type Reader,
  text,
  uuid,
  wholeNumber,
} from '../core/readers.js';

const whole = wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

const scalars: Readonly<Record<string, Reader<unknown>>> = {
  UUID: uuid,
  String: text,
  Boolean: boolean,
  Float: number(-Number.MAX_VALUE, Number.MAX_VALUE),
  Int: whole,
  Long: whole,
  Version: whole,
  DateTime: anyTime,
  Timestamp: anyTime,
  JSON: json,
};

interface ContractReaders {
  /** By the names of types. */
  readonly types: ReadonlyMap<string, Reader<unknown>>;
  /** The results of operations, by the names of these. */
  readonly results: ReadonlyMap<string, Reader<unknown>>;
}

let contract: ContractReaders | null = null;

/** Made when they are first needed, so that a service without scripts and answers starts as fast as before. */
function contractReaders(): ContractReaders {
  if (contract !== null) return contract;
  const types = new Map(Object.entries(scalars));
  const results = new Map<string, Reader<unknown>>();
  const readerOf = (type: TypeNode): Reader<unknown> => {
    if (type.kind === Kind.NON_NULL_TYPE) return readerOf(type.type);
    if (type.kind === Kind.LIST_TYPE) return orNull(list(readerOf(type.type)));
    // A type can have fields of types that come later, or of its own.
    return orNull((value, path) => types.get(type.name.value)?.(value, path));
  };
  for (const node of parse(contractText, { noLocation: true }).definitions) {
    if (node.kind === Kind.OBJECT_TYPE_DEFINITION) {
      const fields = (node.fields ?? []).map(({ name, type }) => [name.value, readerOf(type)] as const);
      if (node.name.value === 'Query' || node.name.value === 'Mutation')
        for (const [name, read] of fields) results.set(name, read);
      else types.set(node.name.value, object(Object.fromEntries(fields.map(([name, read]) => [name, optional(read)]))));
    }
    if (node.kind === Kind.ENUM_TYPE_DEFINITION)
      types.set(node.name.value, oneOf((node.values ?? []).map(({ name }) => name.value)));
  }
  contract = { types, results };
  return contract;
}

/** Reads an object type of the contract. */
export function contractObject(typeName: string): Reader<object> {
  // The contract's object types are read to objects.
  return (value, path) => contractReaders().types.get(typeName)?.(value, path) as object;
}

/** The result of this operation. Throws a TypeError that names the place that is wrong. */
export function readOperationResult(operation: string, value: unknown, path: string): unknown {
  const read = contractReaders().results.get(operation);
  return read === undefined ? fail(path, 'is of no operation of the contract') : read(value, path);
}
