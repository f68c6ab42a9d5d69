// Asks before something is sent. Without a terminal, --yes is the answer.

import type { FleetClient } from '../../index.js';
import { type Context, canAsk, cannotAskReason, type Run, tell } from '../context/context.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { firstOf } from '../errors/unusable.js';
import type { Kind } from '../find/kind.js';
import { choicesById } from '../find/record.js';
import { ask } from '../prompt/ask.js';

export interface Question {
  /** Shown above the question. */
  readonly lines: readonly string[];
  readonly text: string;
  /** What has not been done when the answer is no. */
  readonly undone: 'changed' | 'deleted';
}

/** @throws CliError ABORTED when the answer is no */
export async function confirm(run: Run, { lines, text, undone }: Question): Promise<void> {
  // A question without what it is about would be a blind one, so --quiet does not hide it.
  for (const line of lines) tell(run, `  ${line}`);
  const answer = await ask(run, `${text} [y/N] `);
  if (/^y(es)?$/i.test(answer)) return;
  throw new CliError('ABORTED', `Not confirmed; nothing was ${undone}.`);
}

/** What is to be confirmed. */
export interface Confirmable {
  readonly what: string;
  /** What to do when nobody can be asked. */
  readonly instead: string;
}

export const deletion: Confirmable = { what: 'A deletion', instead: 'Add --yes to delete without a prompt.' };

export const wholePlan: Confirmable = {
  what: 'The plan',
  instead: 'Add --yes, or look at the plan with --dry-run first.',
};

/** Called before anything is read or sent. @throws CliError USAGE when nobody can be asked */
export function requireConfirmable(
  run: Run,
  { yes, dryRun }: { readonly yes?: true | undefined; readonly dryRun?: true | undefined },
  { what, instead }: Confirmable,
): void {
  if (yes || dryRun || canAsk(run)) return;
  throw refusal(`${what} needs a confirmation, and ${cannotAskReason(run)}.`, { hint: instead });
}

/** What to ask before these records are deleted. @throws CliError NOT_FOUND when the only record does not exist */
export async function deletionQuestion<Row>(
  context: Context,
  client: FleetClient,
  kind: Kind<Row>,
  ids: readonly string[],
): Promise<Question> {
  const choices = await choicesById(context, client, kind);
  const names = ids.map((id) => {
    const choice = choices.get(id);
    return choice ? choiceText(choice) : null;
  });
  const [onlyName] = names;
  const isOne = ids.length === 1;
  if (isOne && onlyName === null) throw new CliError('NOT_FOUND', `There is no ${kind.noun} with the id ${ids[0]}.`);
  return {
    lines: isOne ? [] : firstOf(names.map((name, index) => name ?? `${ids[index]}`)),
    text: `Delete ${isOne ? `the ${kind.noun} ${onlyName}` : `these ${ids.length} ${kind.plural}`}?`,
    undone: 'deleted',
  };
}

/** `"Night shift" (NS-1, 5f1c…)`. */
function choiceText(choice: Readonly<Record<string, string | null | undefined>>): string {
  const { id, ...texts } = choice;
  const [name, ...rest] = Object.values(texts).filter((text) => text !== null && text !== undefined && text !== '');
  return name === undefined ? String(id) : `"${name}" (${[...rest, id].join(', ')})`;
}
