// Changes in two steps, where the server was started with --allow-changes: a plan, which sends nothing, and its execution, which a person has seen.
import { randomUUID } from 'node:crypto';
import { isObject } from '../../../core/json.js';
import { connect } from '../../connection/connect.js';
import { type Context, serviceNow } from '../../context/context.js';
import { refusal } from '../../errors/cli-error.js';
import { cleanText } from '../../mcp/answer.js';
import { inputOf, outputOf, readTool, type Tool, type ToolAnswer, text } from '../../mcp/tool.js';
import { knownServiceNow } from '../../parse/time.js';
import { type PlannedChange, recordText } from '../../plan/record-change.js';
import { type ChangeInput, type ChangeWords, changeInput, wordsOf } from './change-words.js';
import { counted, localOf } from './inputs.js';
import { printedBy } from './printed-by.js';

/** A plan is about the fleet as it was. */
const PLAN_LASTS_MS = 10 * 60_000;
const MOST_PLANS = 100;
/** Of a question. */
const MOST_LINES = 20;

interface KnownPlan {
  readonly words: ChangeWords;
  readonly effects: readonly PlannedChange[];
  readonly until: number;
}

/** The two tools share the plans of this server; nobody else can carry them out. */
export function changeTools(): readonly Tool[] {
  const plans = new Map<string, KnownPlan>();
  const planChange = readTool<ChangeInput>({
    name: 'plan_change',
    title: 'Plan a change',
    description:
      'Plans one change: a custom field, the data of a vehicle or a person, a driver assignment, groups of vehicles. Returns every record that would change, with old and new values, and a plan for carry_out_plan. Changes nothing. Names must be whole: use find_record first. Show the plan to the person before you carry it out.',
    input: changeInput,
    output: outputOf({
      facts: { plan: { ...text, description: 'for carry_out_plan; null when nothing would change' }, validUntil: text },
      row: { action: text, kind: text, name: text, id: text, changes: { type: 'array' } },
    }),
    async run(context, input) {
      // Refuses missing members before anything is sent.
      wordsOf(context, input);
      await knownServiceNow(context, await connect(context));
      const words = wordsOf(context, input);
      const effects = await effectsOf(context, words);
      const changing = effects.filter(({ action }) => action !== 'keep');
      const rows = effects.map(shownEffect);
      if (changing.length === 0) {
        return {
          summary: 'Nothing would change: it is like this already.',
          facts: { plan: null, validUntil: null },
          rows,
        };
      }
      const plan = randomUUID();
      const until = serviceNow(context) + PLAN_LASTS_MS;
      plans.set(plan, { words, effects, until });
      const [oldest] = plans.keys();
      if (plans.size > MOST_PLANS && oldest !== undefined) plans.delete(oldest);
      return {
        summary: `Nothing has changed yet. ${counted(changing.length, 'record')} would change: ${changing.map(recordText).join('; ')}.`,
        facts: { plan, validUntil: localOf(context, until) },
        rows,
      };
    },
  });
  const carryOut: Tool = {
    name: 'carry_out_plan',
    title: 'Carry out a plan',
    description:
      'Carries out a plan of plan_change, once, within ten minutes. Call it only when the person has agreed to this plan. A change that was made stands in `fleet history`, and a person takes it back with `fleet undo`.',
    input: inputOf({ plan: { type: 'string', description: 'from plan_change' } }, ['plan']),
    output: outputOf({ row: { action: text, kind: text, name: text, id: text, changes: { type: 'array' } } }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    timeLimitMs: 60_000,
    question({ plan }) {
      const known = plans.get(String(plan));
      if (known === undefined) return null;
      const lines = known.effects
        .filter(({ action }) => action !== 'keep')
        .map((effect) => cleanText(recordText(effect)));
      const more = lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more`] : [];
      return ['Change the fleet?', ...lines.slice(0, MOST_LINES), ...more].join('\n');
    },
    refused: ({ plan }) => {
      plans.delete(String(plan));
    },
    async run(context, { plan }): Promise<ToolAnswer> {
      const known = plans.get(String(plan));
      // A plan is carried out once, whatever becomes of it.
      plans.delete(String(plan));
      if (known === undefined)
        throw refusal('There is no such plan: it was carried out or refused, or is another server’s.', {
          hint: 'Plan the change again.',
        });
      if (serviceNow(context) > known.until)
        throw refusal('The plan is older than ten minutes.', { hint: 'Plan the change again.' });
      const present = await effectsOf(context, known.words);
      if (JSON.stringify(present) !== JSON.stringify(known.effects)) {
        throw refusal('The fleet has changed since the plan was made.', {
          hint: 'Plan the change again, and show the new plan.',
        });
      }
      const { noun, verb, flags, names } = known.words;
      await printedBy(context, noun, [verb, ...flags, '--yes', '--', ...names]);
      const changing = known.effects.filter(({ action }) => action !== 'keep');
      return {
        summary: `Done: ${changing.map(recordText).join('; ')}. A person can take it back with \`fleet undo\`.`,
        rows: changing.map(shownEffect),
      };
    },
  };
  return [planChange, carryOut];
}

/** What a dry run of the command tells. */
async function effectsOf(
  context: Context,
  { noun, verb, flags, names }: ChangeWords,
): Promise<readonly PlannedChange[]> {
  const printed = await printedBy(context, noun, [verb, ...flags, '--dry-run', '--', ...names]);
  const plans = Array.isArray(printed) ? printed : [printed];
  return plans.flatMap((plan: unknown) => {
    const { effects } = Object(plan);
    const all: readonly unknown[] = Array.isArray(effects) && effects.length > 0 ? effects : [plan];
    // The command prints the records of a plan as such.
    return all.filter(isObject) as readonly object[] as readonly PlannedChange[];
  });
}

function shownEffect({ action, kind, name, id, changes, told }: PlannedChange) {
  const shown = changes.map(({ field, before, after, names = { before, after } }) => ({
    field,
    before: names.before ?? null,
    after: names.after ?? null,
  }));
  return { action, kind, name, id, changes: shown, ...(told === undefined ? {} : { told }) };
}
