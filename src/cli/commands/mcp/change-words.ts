// The words of the command line for a change that a model asks for.
import { type Context, serviceNow } from '../../context/context.js';
import { refusal } from '../../errors/cli-error.js';
import { inputOf, type JsonSchema } from '../../mcp/tool.js';
import { readTime, timestamp } from '../../parse/time.js';
import { namesInput } from './inputs.js';
import type { Noun } from './printed-by.js';

export const changes = [
  'set_vehicle_field',
  'set_person_field',
  'update_vehicle',
  'update_person',
  'assign_driver',
  'unassign_driver',
  'change_vehicle_groups',
] as const;

export interface ChangeInput {
  readonly change: (typeof changes)[number];
  readonly vehicle?: string;
  readonly vehicles?: readonly string[];
  readonly person?: string;
  readonly driver?: string;
  readonly field?: string;
  readonly value?: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly labels?: readonly string[];
  readonly active?: boolean;
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly at?: string;
}

/** The flags of `fleet vehicles update` and `fleet people update`, by the names of their values here. */
const vehicleValues = ['name', 'plate', 'vin', 'make', 'model', 'year', 'type', 'schedule'] as const;
const personValues: Readonly<Record<string, string>> = {
  firstName: 'first-name',
  lastName: 'last-name',
  email: 'email',
  phone: 'phone',
  employeeId: 'employee-id',
  licenseNumber: 'license-number',
  licenseIssuedIn: 'license-issued-in',
};

const name = (description: string): JsonSchema => ({ type: 'string', minLength: 1, description });
const values = [...vehicleValues, ...Object.keys(personValues)];

export const changeInput = inputOf(
  {
    change: {
      type: 'string',
      enum: changes,
      description:
        'set_vehicle_field: vehicle, field, value. set_person_field: person, field, value. update_vehicle: vehicle, and values, labels or active. update_person: person, values. assign_driver: vehicle, driver. unassign_driver: vehicle. change_vehicle_groups: vehicles, and add or remove.',
    },
    vehicle: name('the whole name, plate, VIN or id'),
    vehicles: { ...namesInput, description: 'whole names, plates, VINs or ids' },
    person: name('the whole name, e-mail, employee id or id'),
    driver: name('the whole name, e-mail, employee id or id'),
    field: name('the name of a custom field that the record has'),
    value: { type: 'string', description: 'of the custom field; empty to clear it' },
    values: {
      type: 'object',
      properties: Object.fromEntries(values.map((one) => [one, { type: 'string' }])),
      additionalProperties: false,
      description: 'what changes; an empty text clears it. Type and schedule are names',
    },
    labels: { type: 'array', items: { type: 'string' }, description: 'of update_vehicle: replaces all its labels' },
    active: { type: 'boolean', description: 'of update_vehicle: activate or deactivate it' },
    add: { ...namesInput, description: 'groups to join, by whole name' },
    remove: { ...namesInput, description: 'groups to leave, by whole name' },
    from: { type: 'string', description: 'of assign_driver: the start; default: now', examples: ['today 14:00'] },
    to: { type: 'string', description: 'of assign_driver: the end; default: open' },
    at: { type: 'string', description: 'of unassign_driver: the end; default: now' },
  },
  ['change'],
);

export interface ChangeWords {
  readonly noun: Noun;
  /** Without `--dry-run` and `--yes`. */
  readonly verb: string;
  readonly flags: readonly string[];
  readonly names: readonly string[];
}

/** Times are those of the plan: "now" is over when it is carried out. @throws CliError USAGE for what is missing */
export function wordsOf(context: Context, input: ChangeInput): ChangeWords {
  const need = (member: keyof ChangeInput): string => {
    const given = input[member];
    if (typeof given === 'string') return given;
    throw refusal(`${input.change} needs ${member}.`);
  };
  const moment = (text: string, member: string) => timestamp(readTime(context, text, member).at(serviceNow(context)));
  const words = (noun: Noun, verb: string, names: readonly string[], flags: readonly string[] = []): ChangeWords => ({
    noun,
    verb,
    names,
    flags,
  });
  const flag = (named: string, given: string | undefined) => (given === undefined ? [] : [`--${named}=${given}`]);
  switch (input.change) {
    case 'set_vehicle_field':
      return words('vehicles', 'set-field', [need('vehicle'), need('field'), need('value')]);
    case 'set_person_field':
      return words('people', 'set-field', [need('person'), need('field'), need('value')]);
    case 'update_vehicle': {
      const given = valuesOf(input, vehicleValues, (one) => one);
      const labels = (input.labels?.length === 0 ? [''] : (input.labels ?? [])).map((label) => `--label=${label}`);
      const active = input.active === undefined ? [] : [input.active ? '--activate' : '--deactivate'];
      return words('vehicles', 'update', [need('vehicle')], someFlags(input, [...given, ...labels, ...active]));
    }
    case 'update_person': {
      const given = valuesOf(input, Object.keys(personValues), (one) => personValues[one] ?? one);
      return words('people', 'update', [need('person')], someFlags(input, given));
    }
    case 'assign_driver':
      return words(
        'drivers',
        'assign',
        [need('vehicle'), need('driver')],
        [
          `--from=${moment(input.from ?? 'now', 'from')}`,
          ...flag('to', input.to === undefined ? undefined : moment(input.to, 'to')),
        ],
      );
    case 'unassign_driver':
      return words(
        'drivers',
        'unassign',
        [need('vehicle')],
        [`--at=${moment(input.at ?? 'now', 'at')}`, ...flag('driver', input.driver)],
      );
    case 'change_vehicle_groups': {
      const names = input.vehicles ?? (input.vehicle === undefined ? [] : [input.vehicle]);
      if (names.length === 0) throw refusal('change_vehicle_groups needs vehicles.');
      const add = (input.add ?? []).map((group) => `--add=${group}`);
      const remove = (input.remove ?? []).map((group) => `--remove=${group}`);
      return words('vehicles', 'groups', names, someFlags(input, [...add, ...remove]));
    }
  }
}

function valuesOf(
  { change, values: given = {} }: ChangeInput,
  own: readonly string[],
  flagOf: (value: string) => string,
): readonly string[] {
  return Object.entries(given).map(([one, value]) => {
    if (own.includes(one)) return `--${flagOf(one)}=${value}`;
    throw refusal(`${change} has no value ${one}.`, { hint: `It has ${own.join(', ')}.` });
  });
}

function someFlags({ change }: ChangeInput, flags: readonly string[]): readonly string[] {
  if (flags.length > 0) return flags;
  throw refusal(`${change} is given nothing to change.`);
}
