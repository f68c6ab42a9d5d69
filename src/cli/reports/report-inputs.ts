// Parses the inputs of a report: a type for each name, as in the reference service, or JSON Schema.
// The contract defines no form. Other inputs can still be set as text or with --input.
import { isObject } from '../../core/json.js';
import { geofenceKind } from '../records/geofence.js';
import { groupKind } from '../records/group.js';
import { driverKind, personKind } from '../records/person.js';
import type { RecordKind } from '../records/record-kind.js';
import { labelKind } from '../records/reference-data.js';
import { vehicleKind } from '../records/vehicle.js';

type InputType = 'time' | 'time of day' | 'number' | 'whole number' | 'yes or no' | 'text' | 'id' | 'json';

export interface ReportInput {
  /** Path among the inputs: `period.from`. */
  readonly path: string;
  /** Flags without dashes; the first one is shown. Empty when all names are reserved. */
  readonly flags: readonly string[];
  readonly type: InputType;
  readonly list: boolean;
  readonly required: boolean;
  /** Undefined without a default. */
  readonly default: unknown;
  /** Null when any value is allowed. */
  readonly choices: readonly string[] | null;
  readonly description: string | null;
  /** The kind of record whose names are accepted instead of ids. */
  readonly kind: RecordKind<never> | null;
  /** The end of the period of the report that it sets. */
  readonly bound: 'from' | 'to' | null;
}

type Description = Readonly<Record<string, unknown>>;
type InputWithoutFlags = Omit<ReportInput, 'flags' | 'bound'>;

/** Returns the inputs of a report. `reserved` are flags with another meaning. */
export function reportInputs(described: unknown, reserved: ReadonlySet<string>): readonly ReportInput[] {
  const bare = isObject(described)
    ? leavesOf(membersIn(described) ?? described, '', true, membersIn(described) ? described.required : undefined)
    : [];
  const bounds = boundsOf(bare);
  const names = bare.map((input) => namesOf(input, bounds.get(input) ?? null));
  const count = (name: string) => names.filter((others) => others.includes(name)).length;
  return bare.map((input, index) => {
    const own = names[index] ?? [];
    const flags = own.filter((name) => !reserved.has(name) && (count(name) === 1 || name === own.at(-1)));
    return { ...input, flags, bound: bounds.get(input) ?? null };
  });
}

function leavesOf(
  members: Description,
  above: string,
  isRequired: boolean,
  required?: unknown,
  defaults?: unknown,
): readonly InputWithoutFlags[] {
  return Object.entries(members).flatMap(([name, description]): readonly InputWithoutFlags[] => {
    const path = above === '' ? name : `${above}.${name}`;
    const entry: Description = isObject(description) ? description : { type: description };
    const type = typeof entry.type === 'string' ? entry.type : '';
    const isNeeded = isRequired && (entry.required === true || type.endsWith('!') || includes(required, name));
    const preset = entry.default ?? (isObject(defaults) ? defaults[name] : undefined);
    const nested = membersIn(entry);
    if (nested) return leavesOf(nested, path, isNeeded, entry.required, preset);
    const list = type.startsWith('[') || type === 'array';
    const item = list && isObject(entry.items) ? entry.items : entry;
    const values = [item.enum, item.values, item.options].find(Array.isArray);
    const leaf = typeOf(list && typeof item.type === 'string' ? item.type : type, item.format);
    const kind = leaf === 'id' || /(ids?|uuids?)$/i.test(name) ? recordKindOf(name) : null;
    return [
      {
        path,
        type: kind ? 'id' : leaf,
        list,
        required: isNeeded,
        default: preset,
        choices: values ? values.map(String) : null,
        description: typeof entry.description === 'string' ? entry.description : null,
        kind,
      },
    ];
  });
}

function membersIn(entry: Description): Description | null {
  const members = entry.members ?? (entry.type === 'object' ? entry.properties : undefined);
  return isObject(members) ? members : null;
}

function typeOf(type: string, format: unknown): InputType {
  const plain = type.replace(/[[\]!]/g, '').toLowerCase();
  if (/^(date-?time|timestamp|instant)$/.test(plain) || format === 'date-time') return 'time';
  if (/^hh:mm$/.test(plain)) return 'time of day';
  if (/^(uuid|id)$/.test(plain) || format === 'uuid') return 'id';
  if (/^(int|integer|long)$/.test(plain)) return 'whole number';
  if (/^(float|double|number|decimal)$/.test(plain)) return 'number';
  if (/^bool(ean)?$/.test(plain)) return 'yes or no';
  return /^(object|json|map|any)$/.test(plain) ? 'json' : 'text';
}

const begins = /^(from|start|begin)(date|time|at|timestamp)?$/i;
const ends = /^(to|end|until)(date|time|at|timestamp)?$/i;

/** Returns the two times of the report's period, if exactly one begins and one ends it. */
function boundsOf(inputs: readonly InputWithoutFlags[]): ReadonlyMap<InputWithoutFlags, 'from' | 'to'> {
  const times = inputs.filter(({ type, list }) => type === 'time' && !list);
  const froms = times.filter(({ path }) => begins.test(lastOf(path)));
  const tos = times.filter(({ path }) => ends.test(lastOf(path)));
  const [from] = froms;
  const [to] = tos;
  return from && to && froms.length === 1 && tos.length === 1
    ? new Map([[from, 'from'] as const, [to, 'to'] as const])
    : new Map();
}

/** Returns the flags of an input: `vehicle` and `vehicle-ids` for `vehicleIds`. */
function namesOf({ path, kind }: InputWithoutFlags, bound: 'from' | 'to' | null): readonly string[] {
  const whole = path.split('.').map(kebab).join('-');
  const last = kebab(lastOf(path));
  const names = bound !== null ? [bound, last, whole] : kind ? [kind.placeholder, last, whole] : [whole, last, whole];
  return [...new Set(names)];
}

function lastOf(path: string): string {
  return path.split('.').at(-1) ?? path;
}

function kebab(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[\s_]+/g, '-')
    .toLowerCase();
}

function includes(list: unknown, name: string): boolean {
  return Array.isArray(list) && list.includes(name);
}

/** Words in the names of inputs that take ids: `vehicleIds`, `assetUuids`, `driverId`. */
const kindsByWord: readonly (readonly [RegExp, RecordKind<never>])[] = [
  [/vehicle|asset/i, vehicleKind],
  [/group/i, groupKind],
  [/label/i, labelKind],
  [/driver/i, driverKind],
  [/person|people|employee/i, personKind],
  [/geofence/i, geofenceKind],
];

function recordKindOf(name: string): RecordKind<never> | null {
  return kindsByWord.find(([word]) => word.test(name))?.[1] ?? null;
}
