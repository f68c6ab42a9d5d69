// Changes in two steps, where the server was started with --allow-changes: a plan, which sends nothing,
// and its execution, which a person has seen.
import { randomUUID } from 'node:crypto';
import { isObject } from '../../../core/json.js';
import { refusal } from '../../errors/cli-error.js';
import { cleanText } from '../../mcp/answer.js';
import type { JsonSchema, Tool } from '../../mcp/tool.js';
import type { AnswerRow, ToolCall } from '../../mcp/tool-call.js';
import { knownServiceNow, readTime, timestamp } from '../../parse/time.js';
import { counted, optionWords, texts } from './tools.js';

interface Change {
  readonly words: readonly [noun: string, verb: string];
  /** The inputs that are arguments of the command, in their order. */
  readonly names: readonly string[];
  /** Flags by input. A time is the one of the plan: "now" is over when it is carried out. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Flags by member of `values`. */
  readonly values?: Readonly<Record<string, string>>;
  readonly times?: Readonly<Record<string, string>>;
}

const vehicleValues = {
  name: 'name',
  plate: 'plate',
  vin: 'vin',
  make: 'make',
  model: 'model',
  year: 'year',
  type: 'type',
  schedule: 'schedule',
};
const personValues = {
  ...{ firstName: 'first-name', lastName: 'last-name', email: 'email', phone: 'phone', employeeId: 'employee-id' },
  ...{ licenseNumber: 'license-number', licenseIssuedIn: 'license-issued-in' },
};

const changes: Readonly<Record<string, Change>> = {
  set_vehicle_field: { words: ['vehicles', 'set-field'], names: ['vehicle', 'field', 'value'] },
  set_person_field: { words: ['people', 'set-field'], names: ['person', 'field', 'value'] },
  update_vehicle: {
    words: ['vehicles', 'update'],
    names: ['vehicle'],
    flags: { labels: 'label', active: 'activate' },
    values: vehicleValues,
  },
  update_person: { words: ['people', 'update'], names: ['person'], values: personValues },
  assign_driver: { words: ['drivers', 'assign'], names: ['vehicle', 'driver'], times: { from: 'now', to: '' } },
  unassign_driver: {
    words: ['drivers', 'unassign'],
    names: ['vehicle'],
    flags: { driver: 'driver' },
    times: { at: 'now' },
  },
  change_vehicle_groups: {
    words: ['vehicles', 'groups'],
    names: ['vehicles'],
    flags: { add: 'add', remove: 'remove' },
  },
};

const oneText = (description: string): JsonSchema => ({ type: 'string', description });

const changeInput: Tool['input'] = {
  change: {
    type: 'string',
    enum: Object.keys(changes),
    description: Object.entries(changes)
      .map(([change, { names, flags = {}, values, times = {} }]) => {
        const optional = [...Object.keys(flags), ...(values ? ['values'] : []), ...Object.keys(times)];
        return `${change}: ${names.join(', ')}${optional.length > 0 ? `; optional ${optional.join(', ')}` : ''}`;
      })
      .join('. '),
  },
  vehicle: oneText('whole name, plate, VIN or id'),
  vehicles: texts('whole names, plates, VINs or ids'),
  person: oneText('whole name, e-mail, employee id or id'),
  driver: oneText('whole name, e-mail, employee id or id'),
  field: oneText('a custom field that the record has'),
  value: oneText('of the custom field; empty to clear it'),
  values: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: `what changes; empty clears it. Vehicle: ${Object.keys(vehicleValues).join(', ')}. Person: ${Object.keys(personValues).join(', ')}`,
  },
  labels: { type: 'array', items: { type: 'string' }, description: 'replaces all labels of the vehicle' },
  active: { type: 'boolean', description: 'activate or deactivate the vehicle' },
  add: texts('groups to join'),
  remove: texts('groups to leave'),
  from: oneText('start; default: now'),
  to: oneText('end; default: open'),
  at: oneText('end; default: now'),
};

/** Returns the words of the command, without --dry-run and --yes. @throws CliError USAGE for what is missing */
async function wordsOf(call: ToolCall, input: AnswerRow): Promise<readonly string[]> {
  const name = String(input.change);
  const { words, names, flags = {}, values = {}, times = {} } = changes[name] ?? { words: ['', ''], names: [] };
  const missing = names.find((one) => input[one] === undefined);
  if (missing !== undefined) throw refusal(`${name} needs ${missing}.`);
  const own = new Set([
    'change',
    ...names,
    ...Object.keys(flags),
    ...Object.keys(times),
    ...(Object.keys(values).length > 0 ? ['values'] : []),
  ]);
  const other = Object.keys(input).find((one) => !own.has(one));
  if (other !== undefined)
    throw refusal(`${name} has no input ${other}.`, { hint: `It has ${[...own].slice(1).join(', ')}.` });
  const given = Object.entries(isObject(input.values) ? input.values : {}).flatMap(([member, value]) => {
    const option = Object.hasOwn(values, member) ? Reflect.get(values, member) : undefined;
    if (typeof option === 'string') return optionWords(option, String(value));
    throw refusal(`${name} has no value ${member}.`, { hint: `It has ${Object.keys(values).join(', ')}.` });
  });
  const lists = Object.entries(flags).flatMap(([member, option]) => {
    const value: unknown = input[member];
    if (typeof value === 'boolean') return [value ? '--activate' : '--deactivate'];
    if (Array.isArray(value)) return optionWords(option, value.length === 0 ? [''] : value.map(String));
    return optionWords(option, value === undefined ? undefined : String(value));
  });
  if (names.length === 1 && Object.keys(times).length === 0 && given.length + lists.length === 0)
    throw refusal(`${name} is given nothing to change.`);
  const moments: string[] = [];
  for (const [member, usual] of Object.entries(times)) {
    const at = String(input[member] ?? usual);
    if (at === '') continue;
    const now = await knownServiceNow(call.context, await call.client);
    moments.push(`--${member}=${timestamp(readTime(call.context, at, member).at(now))}`);
  }
  return [...words, ...given, ...lists, ...moments, '--', ...names.flatMap((one) => input[one]).map(String)];
}

/** A record of a plan as `--dry-run` prints it. */
interface Effect {
  readonly action: string;
  readonly kind: string;
  readonly name: string;
  readonly id: string | null;
  readonly told?: string;
  readonly changes: readonly {
    readonly field: string;
    readonly before: unknown;
    readonly after: unknown;
    readonly names?: { readonly before: unknown; readonly after: unknown };
  }[];
}

/** Returns what a dry run of the command tells. */
async function effectsOf(call: ToolCall, words: readonly string[]): Promise<readonly Effect[]> {
  const { rows } = await call.run([...words.slice(0, 2), '--dry-run', ...words.slice(2)]);
  return rows.flatMap((plan) => {
    const { effects } = plan;
    const all: readonly unknown[] = Array.isArray(effects) && effects.length > 0 ? effects : [plan];
    // The command prints the records of a plan in this form.
    return all.filter(isObject) as readonly object[] as readonly Effect[];
  });
}

const isChange = ({ action }: Effect) => action !== 'keep';

const shownValue = (value: unknown, longest: number): string => {
  if (value === null || value === undefined || value === '') return 'empty';
  const shown = cleanText(typeof value === 'string' ? value : JSON.stringify(value), longest);
  return typeof value === 'string' ? `"${shown}"` : shown;
};

/** The characters of a value in a question: a long old value must not hide the new one. */
const LONGEST = { name: 80, before: 80, after: 1_000 };

/** Returns a record with its new values first, each cut by itself. */
function effectText({ action, kind, name, told, changes: members }: Effect): string {
  const shown = members.map(({ field, before, after, names = { before, after } }) =>
    action === 'delete'
      ? `${cleanText(field)} was ${shownValue(names.before, LONGEST.before)}`
      : `${cleanText(field)} becomes ${shownValue(names.after, LONGEST.after)}, was ${shownValue(names.before, LONGEST.before)}`,
  );
  return `${action} ${kind} ${cleanText(name, LONGEST.name)}${told === undefined ? '' : ` (${cleanText(told)})`}: ${shown.join('; ')}`;
}

const rowOf = ({ action, kind, name, id, told, changes: members }: Effect) => ({
  ...{ action, kind, name, id },
  changes: members.map(({ field, before, after, names = { before, after } }) => ({
    field,
    after: names.after ?? null,
    before: names.before ?? null,
  })),
  ...(told === undefined ? {} : { told }),
});

const PLAN_LASTS_MS = 600_000;
const MOST_PLANS = 100;
const MOST_LINES = 20;

/** Returns the two tools that share the plans of this server. */
export function changeTools(): readonly Tool[] {
  const plans = new Map<
    string,
    { readonly words: readonly string[]; readonly effects: readonly Effect[]; readonly until: number }
  >();
  const planChange: Tool = {
    name: 'plan_change',
    title: 'Plan a change',
    description:
      'Plans one change: a custom field, the data of a vehicle or a person, a driver assignment, groups of vehicles. Returns every record that would change, with new and old values, and a plan for carry_out_plan. Changes nothing. Show the plan to the person before you carry it out.',
    input: changeInput,
    required: ['change'],
    hasRows: true,
    async run(call, input) {
      const words = await wordsOf(call, Object(input));
      const effects = await effectsOf(call, words);
      const changing = effects.filter(isChange);
      const rows = effects.map(rowOf);
      if (changing.length === 0)
        return { summary: 'Nothing would change: the records have these values.', facts: { plan: null }, rows };
      const plan = randomUUID();
      const until = call.now + PLAN_LASTS_MS;
      plans.set(plan, { words, effects, until });
      const [oldest] = plans.keys();
      if (plans.size > MOST_PLANS && oldest !== undefined) plans.delete(oldest);
      const summary = `Nothing has changed yet. ${counted(changing.length, 'record')} would change: ${changing.map(effectText).join('; ')}.`;
      return { summary, facts: { plan, validUntil: timestamp(until) }, rows };
    },
  };
  const carryOut: Tool = {
    name: 'carry_out_plan',
    title: 'Carry out a plan',
    description:
      'Carries out a plan of plan_change, once, within ten minutes. Call it only when the person has agreed to this plan. A change is listed by `fleet history`, and a person reverts it with `fleet undo`.',
    input: { plan: oneText('from plan_change') },
    required: ['plan'],
    hasRows: true,
    confirm: {
      question({ plan = '' }) {
        const lines = plans.get(plan)?.effects.filter(isChange).map(effectText);
        if (lines === undefined) return null;
        const more = lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more records`] : [];
        return ['Change the fleet?', ...lines.slice(0, MOST_LINES), ...more].join('\n');
      },
      refused: ({ plan = '' }) => void plans.delete(plan),
    },
    async run(call, { plan = '' }) {
      const known = plans.get(plan);
      // A plan is carried out once, whatever its outcome.
      plans.delete(plan);
      const again = { hint: 'Plan the change again.' };
      if (known === undefined)
        throw refusal('There is no such plan: it was carried out or refused, or is another server’s.', again);
      if (call.now > known.until) throw refusal('The plan is older than ten minutes.', again);
      const present = await effectsOf(call, known.words);
      if (JSON.stringify(present) !== JSON.stringify(known.effects)) {
        throw refusal('The fleet has changed since the plan was made.', {
          hint: 'Plan the change again, and show the new plan.',
        });
      }
      await call.run([...known.words.slice(0, 2), '--yes', ...known.words.slice(2)]);
      const changing = known.effects.filter(isChange);
      const summary = `Done: ${changing.map(effectText).join('; ')}. A person can revert it with \`fleet undo\`.`;
      return { summary, rows: changing.map(rowOf) };
    },
  };
  return [planChange, carryOut];
}
