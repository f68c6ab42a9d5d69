// Checks values that a test wants the service to answer, by the types of the contract, and converts them to the form in which the
// service holds its own: times in epoch milliseconds. Members that are left out are answered as null.
import { Kind, parse, type TypeNode } from 'graphql';
import { contractText } from '../../generated/contract-text.js';
import { isJsonObject, quotedKey } from '../core/json-object.js';
import { parseRfc3339 } from '../core/rfc3339.js';
import { isRepresentableTime } from '../core/time-range.js';
import { isUuid } from '../core/uuid.js';

interface ContractTypes {
  readonly objects: ReadonlyMap<string, ReadonlyMap<string, TypeNode>>;
  readonly enums: ReadonlyMap<string, readonly string[]>;
}

let contract: ContractTypes | null = null;

/** Read when it is first needed, so that a service without scripts and answers starts as fast as before. */
function contractTypes(): ContractTypes {
  if (contract !== null) return contract;
  const objects = new Map<string, ReadonlyMap<string, TypeNode>>();
  const enums = new Map<string, readonly string[]>();
  for (const node of parse(contractText, { noLocation: true }).definitions) {
    if (node.kind === Kind.OBJECT_TYPE_DEFINITION)
      objects.set(node.name.value, new Map(node.fields?.map((field) => [field.name.value, field.type])));
    if (node.kind === Kind.ENUM_TYPE_DEFINITION)
      enums.set(node.name.value, node.values?.map(({ name }) => name.value) ?? []);
  }
  contract = { objects, enums };
  return contract;
}

function fail(path: string, problem: string): never {
  throw new TypeError(`${path} ${problem}`);
}

/** Epoch milliseconds of a time that a test writes as epoch milliseconds, RFC 3339 text or a Date. */
export function readTime(value: unknown, path: string): number {
  const time = value instanceof Date ? value.getTime() : typeof value === 'number' ? value : parseRfc3339(value);
  if (time !== null && Number.isInteger(time) && isRepresentableTime(time)) return time;
  return fail(path, 'must be a time: epoch milliseconds, RFC 3339 text or a Date');
}

type Reader = (value: unknown, path: string) => unknown;

const finite: Reader = (value, path) =>
  typeof value === 'number' && Number.isFinite(value) ? value : fail(path, 'must be a number');
const whole: Reader = (value, path) =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : fail(path, 'must be a whole number');
const text: Reader = (value, path) => (typeof value === 'string' ? value : fail(path, 'must be a string'));

const scalars: Readonly<Record<string, Reader>> = {
  UUID: (value, path) => (isUuid(value) ? value.toLowerCase() : fail(path, 'must be a UUID')),
  String: text,
  Boolean: (value, path) => (typeof value === 'boolean' ? value : fail(path, 'must be true or false')),
  Float: finite,
  Int: whole,
  Long: whole,
  Version: whole,
  DateTime: readTime,
  Timestamp: readTime,
  JSON(value, path) {
    if (!isJsonObject(value)) return fail(path, 'must be an object');
    try {
      return JSON.parse(JSON.stringify(value));
    } catch {
      return fail(path, 'cannot be written as JSON');
    }
  },
};

function readType(type: TypeNode, value: unknown, path: string): unknown {
  if (type.kind === Kind.NON_NULL_TYPE) return readType(type.type, value, path);
  if (value === null || value === undefined) return null;
  if (type.kind === Kind.NAMED_TYPE) return readNamed(type.name.value, value, path);
  if (!Array.isArray(value)) return fail(path, 'must be a list');
  return Array.from(value, (item: unknown, index) => readType(type.type, item, `${path}[${index}]`));
}

function readNamed(name: string, value: unknown, path: string): unknown {
  const scalar = scalars[name];
  if (scalar !== undefined) return scalar(value, path);
  const { objects, enums } = contractTypes();
  const choices = enums.get(name);
  if (choices !== undefined)
    return choices.find((choice) => choice === value) ?? fail(path, `must be one of ${choices.join(', ')}`);
  const fields = objects.get(name);
  if (fields === undefined || !isJsonObject(value)) return fail(path, 'must be an object');
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const field = fields.get(key);
    if (field === undefined) return fail(path, `has an unknown member ${quotedKey(key)}`);
    copy[key] = readType(field, member, `${path}.${key}`);
  }
  return copy;
}

/** A value of this object type of the contract. Throws a TypeError that names the place that is wrong. */
export function readContractObject(typeName: string, value: unknown, path: string): object {
  // The contract's object types are read to objects.
  return readNamed(typeName, value, path) as object;
}

/** The result of this operation. Throws a TypeError that names the place that is wrong. */
export function readOperationResult(operation: string, value: unknown, path: string): unknown {
  const { objects } = contractTypes();
  const type = objects.get('Query')?.get(operation) ?? objects.get('Mutation')?.get(operation);
  if (type === undefined) return fail(path, 'is of no operation of the contract');
  return readType(type, value, path);
}
