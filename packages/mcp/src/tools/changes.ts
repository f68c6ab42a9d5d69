// The change tools of `--allow-changes`: a plan, which sends nothing, and its execution.
import { randomUUID } from 'node:crypto';
import { isObject, isSameJson } from 'fleet-telematics/kit';
import type { Context, PlannedChange } from 'fleet-telematics/kit/command';
import { knownServiceNow, readTime, refusal, timestamp } from 'fleet-telematics/kit/command';
import { cleanText, localText } from '../answer.js';
import { type CommandWords, wordsOf } from '../command-words.js';
import type { Tool, ToolInput } from '../tool.js';
import type { ToolCall } from '../tool-call.js';
import { countText, textArgument, texts } from './tools.js';

interface Change extends CommandWords {
  readonly names: readonly string[];
  readonly others?: readonly string[];
  /** Members of `values`, which become flags. */
  readonly values?: readonly string[];
  readonly times?: Readonly<Record<string, string | null>>;
}

const vehicleValues = ['name', 'plate', 'vin', 'make', 'model', 'year', 'type', 'schedule'];
const personValues = [...['firstName', 'lastName', 'email', 'phone', 'employeeId', 'licenseNumber', 'licenseIssuedIn']];

const changes: Readonly<Record<string, Change>> = {
  set_vehicle_field: { command: ['vehicles', 'set-field'], names: ['vehicle', 'field', 'value'] },
  set_person_field: { command: ['people', 'set-field'], names: ['person', 'field', 'value'] },
  update_vehicle: {
    ...{ command: ['vehicles', 'update'], names: ['vehicle'], values: vehicleValues, others: ['labels', 'active'] },
    forms: { labels: '--label=%', active: ['--activate', '--deactivate'] },
  },
  update_person: { command: ['people', 'update'], names: ['person'], values: personValues },
  assign_driver: { command: ['drivers', 'assign'], names: ['vehicle', 'driver'], times: { from: 'now', to: null } },
  unassign_driver: {
    ...{ command: ['drivers', 'unassign'], names: ['vehicle'], others: ['driver'], times: { at: 'now' } },
  },
  change_vehicle_groups: { command: ['vehicles', 'groups'], names: ['vehicles'], others: ['add', 'remove'] },
};

function optionalInputsOf({ others = [], values, times = {} }: Change): readonly string[] {
  return [...others, ...(values === undefined ? [] : ['values']), ...Object.keys(times)];
}

const changeInput: Tool['input'] = {
  change: {
    type: 'string',
    enum: Object.keys(changes),
    description: Object.entries(changes)
      .map(
        ([name, change]) =>
          `${name}: ${change.names.join(', ')}; optional: ${optionalInputsOf(change).join(', ') || 'none'}`,
      )
      .join('. '),
  },
  vehicle: textArgument('whole name, plate, VIN or id'),
  vehicles: texts('whole names, plates, VINs or ids'),
  person: textArgument('whole name, e-mail, employee id or id'),
  driver: textArgument('whole name, e-mail, employee id or id'),
  field: textArgument('a custom field that the record has'),
  value: textArgument('of the custom field; empty to clear it'),
  values: {
    ...{ type: 'object', additionalProperties: { type: 'string' } },
    description: `new values; empty clears. Vehicle: ${vehicleValues.join(', ')}. Person: ${personValues.join(', ')}`,
  },
  labels: { type: 'array', items: { type: 'string' }, description: 'replaces all labels of the vehicle' },
  active: { type: 'boolean', description: 'activate or deactivate the vehicle' },
  add: texts('groups to join'),
  remove: texts('groups to leave'),
  from: textArgument('start; default: now'),
  to: textArgument('end; default: open'),
  at: textArgument('end; default: now'),
};

/**
 * Returns the words of the command for a change.
 * @throws CliError USAGE
 */
async function plannedWords(call: ToolCall, { change: name, values, ...input }: ToolInput): Promise<readonly string[]> {
  const change = changes[String(name)] ?? { command: [], names: [] };
  const members: object = Object(values);
  const optional = optionalInputsOf(change);
  const missing = change.names.find((one) => input[one] === undefined);
  if (missing !== undefined) throw refusal(`${name} needs ${missing}.`);
  const other = Object.keys(input).find((one) => !change.names.includes(one) && !optional.includes(one));
  const unknown = Object.keys(members).find((one) => !change.values?.includes(one));
  if (other !== undefined || unknown !== undefined) {
    const has = [...change.names, ...optional, ...(change.values ?? [])].join(', ');
    throw refusal(`${name} has no ${other === undefined ? 'value' : 'input'} ${other ?? unknown}.`, {
      hint: `It has ${has}.`,
    });
  }
  if (
    optional.length > 0 &&
    change.times === undefined &&
    Object.keys({ ...members, ...input }).length === change.names.length
  ) {
    throw refusal(`${name} has nothing to change.`);
  }
  // Fixes "now" at the time of the plan, because it is executed later.
  const now = change.times === undefined ? 0 : await knownServiceNow(call.context, await call.client);
  const times = Object.entries(change.times ?? {}).flatMap(([member, usual]) => {
    const at = input[member] ?? usual;
    return at === null ? [] : [[member, timestamp(readTime(call.context, String(at), member).at(now))] as const];
  });
  return wordsOf(change, { ...input, ...members, ...Object.fromEntries(times) });
}

async function effectsOf(
  call: ToolCall,
  words: readonly string[],
  flags: readonly string[] = [],
): Promise<readonly PlannedChange[]> {
  const { rows } = await call.run([...flags, ...words.slice(0, 2), '--dry-run', ...words.slice(2)]);
  return rows.flatMap((plan) => {
    const { effects } = plan;
    const all: readonly unknown[] = Array.isArray(effects) && effects.length > 0 ? effects : [plan];
    // The command prints records of this type.
    return all.filter(isObject) as readonly object[] as readonly PlannedChange[];
  });
}

const isChange = ({ action }: PlannedChange) => action !== 'keep';

/** Limits of values in a question: a long old value must not hide the new one. */
const LONGEST = { name: 80, before: 80, after: 1_000 };

/** Returns an effect, new values first, each limited, with times in the zone of the answer. */
function effectText(
  zone: string | undefined,
  { action, kind, name, effect: detail, changes: members }: PlannedChange,
): string {
  const shown = (value: unknown, longest: number) => {
    if (value === null || value === undefined || value === '') return 'empty';
    return typeof value === 'string'
      ? `"${cleanText(localText(value, zone), longest)}"`
      : cleanText(JSON.stringify(value), longest);
  };
  const parts = members.flatMap(({ field, before, after, names = { before, after } }) => {
    const [old, next] = [shown(names.before, LONGEST.before), shown(names.after, LONGEST.after)];
    if (action === 'delete') return [`${cleanText(field)} was ${old}`];
    // Unchanged members only identify the record.
    return isSameJson(names.before, names.after) ? [] : [`${cleanText(field)} becomes ${next}, was ${old}`];
  });
  return `${action} ${kind} ${cleanText(name, LONGEST.name)}${detail === undefined ? '' : ` (${cleanText(detail)})`}: ${parts.join('; ')}`;
}

const rowOf = ({ action, kind, name, id, effect: detail, changes: members }: PlannedChange) => ({
  ...{ action, kind, name, id },
  changes: members.map(({ field, before, after, names = { before, after } }) => ({
    field,
    after: names.after ?? null,
    before: names.before ?? null,
  })),
  ...(detail === undefined ? {} : { effect: detail }),
});

const PLAN_LASTS_MS = 600_000;
const MOST_PLANS = 100;
const MOST_LINES = 20;

/** A plan until it is carried out or refused. */
interface Plan {
  readonly words: readonly string[];
  readonly effects: readonly PlannedChange[];
  readonly until: number;
}

export function changeTools({ zone: { name: zone } }: Pick<Context, 'zone'>): readonly Tool[] {
  const plans = new Map<string, Plan>();
  return [planTool(plans, zone), carryOutTool(plans, zone)];
}

function planTool(plans: Map<string, Plan>, zone: string | undefined): Tool {
  return {
    name: 'plan_change',
    title: 'Plan a change',
    description:
      'Plans one change: a custom field, the data of a vehicle or a person, a driver assignment, groups of vehicles. Returns every record that would change, with new and old values, and a plan for carry_out_plan. Changes nothing. Show the plan to the person before you carry it out.',
    input: changeInput,
    required: ['change'],
    hasRows: true,
    async run(call, input) {
      const words = await plannedWords(call, input);
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
      const summary = `Nothing has changed yet. ${countText(changing.length, 'record')} would change: ${changing.map((effect) => effectText(zone, effect)).join('; ')}.`;
      return { summary, facts: { plan, validUntil: timestamp(until) }, rows };
    },
  };
}

function carryOutTool(plans: Map<string, Plan>, zone: string | undefined): Tool {
  return {
    name: 'carry_out_plan',
    title: 'Carry out a plan',
    description:
      'Carries out a plan of plan_change, once, within ten minutes. Call it only when the person has agreed to this plan. A change is listed by `fleet history`, and a person reverts it with `fleet undo`.',
    input: { plan: textArgument('from plan_change') },
    required: ['plan'],
    hasRows: true,
    confirm: {
      question({ plan }) {
        const lines = plans
          .get(String(plan))
          ?.effects.filter(isChange)
          .map((effect) => effectText(zone, effect));
        if (lines === undefined) return null;
        const more = lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more records`] : [];
        return ['Change the fleet?', ...lines.slice(0, MOST_LINES), ...more].join('\n');
      },
      refused: ({ plan }) => void plans.delete(String(plan)),
    },
    async run(call, { plan }) {
      const stored = plans.get(String(plan));
      // A plan is executed only once, whatever its outcome.
      plans.delete(String(plan));
      const again = { hint: 'Plan the change again.' };
      if (stored === undefined)
        throw refusal('There is no such plan: it was carried out or refused, or is another server’s.', again);
      if (call.now > stored.until) throw refusal('The plan is older than ten minutes.', again);
      const present = await effectsOf(call, stored.words, ['--quiet']);
      if (JSON.stringify(present) !== JSON.stringify(stored.effects)) {
        throw refusal('The fleet has changed since the plan was made.', {
          hint: 'Plan the change again, and show the new plan.',
        });
      }
      await call.run([...stored.words.slice(0, 2), '--yes', ...stored.words.slice(2)]);
      const changing = stored.effects.filter(isChange);
      const summary = `Done: ${changing.map((effect) => effectText(zone, effect)).join('; ')}. A person can revert it with \`fleet undo\`.`;
      return { summary, rows: changing.map(rowOf) };
    },
  };
}
