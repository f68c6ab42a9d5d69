// Validates a test's answers against the contract. Missing members are answered as null. Times
// become epoch milliseconds, as in the records.
import { Kind, parse, type TypeNode } from 'graphql';
import { contractText } from '../../generated/contract-text.js';
import {
  anyTime,
  boolean,
  fail,
  list,
  number,
  object,
  optional,
  orNull,
  readInteger,
  readJsonObject,
  readOneOf,
  readString,
  uuid,
  type ValueReader,
} from '../core/readers.js';

const whole = readInteger(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

const scalars: Readonly<Record<string, ValueReader<unknown>>> = {
  UUID: uuid,
  String: readString,
  Boolean: boolean,
  Float: number(-Number.MAX_VALUE, Number.MAX_VALUE),
  Int: whole,
  Long: whole,
  Version: whole,
  DateTime: anyTime,
  Timestamp: anyTime,
  JSON: readJsonObject,
};

interface ContractReaders {
  readonly types: ReadonlyMap<string, ValueReader<unknown>>;
  readonly results: ReadonlyMap<string, ValueReader<unknown>>;
}

let contract: ContractReaders | null = null;

/** Returns the readers, created on first use so that services without scripts start fast. */
function contractReaders(): ContractReaders {
  if (contract !== null) return contract;
  const types = new Map(Object.entries(scalars));
  const results = new Map<string, ValueReader<unknown>>();
  const readerOf = (type: TypeNode): ValueReader<unknown> => {
    if (type.kind === Kind.NON_NULL_TYPE) return readerOf(type.type);
    if (type.kind === Kind.LIST_TYPE) return orNull(list(readerOf(type.type)));
    // Lazy, because types can refer to later types or themselves.
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
      types.set(node.name.value, readOneOf((node.values ?? []).map(({ name }) => name.value)));
  }
  contract = { types, results };
  return contract;
}

export function contractObject(typeName: string): ValueReader<object> {
  return (value, path) => contractReaders().types.get(typeName)?.(value, path) as object;
}

/** Throws a TypeError that names the wrong place. */
export function readOperationResult(operation: string, value: unknown, path: string): unknown {
  const read = contractReaders().results.get(operation);
  return read === undefined ? fail(path, 'is of no operation of the contract') : read(value, path);
}
