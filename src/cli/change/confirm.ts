// Asks for confirmation before a deletion, with the names of the records. Without a terminal, --yes is required.
import type { FleetClient } from '../../index.js';
import { type Context, canAsk, cannotAskReason, type Run, tell } from '../context/context.js';
import { CliError, refusal } from '../errors/cli-error.js';
import type { Kind } from '../find/kind.js';
import { choicesById } from '../find/record.js';
import { ask } from '../prompt/ask.js';

/** How many records a confirmation lists by name. */
const MAX_CONFIRMED_NAMES = 10;

/** What a deletion deletes, for the prompt. */
export interface Confirmation {
  readonly noun: string;
  readonly plural: string;
  /** A description of each id; null for an id that does not exist. */
  readonly names: (
    context: Context,
    client: FleetClient,
    ids: readonly string[],
  ) => Promise<readonly (string | null)[]>;
}

export function deletionOf<Row>(kind: Kind<Row>): Confirmation {
  return {
    noun: kind.noun,
    plural: kind.plural,
    names: async (context, client, ids) => {
      const choices = await choicesById(context, client, kind);
      return ids.map((id) => {
        const choice = choices.get(id);
        return choice ? choiceText(choice) : null;
      });
    },
  };
}

/** `"Night shift" (NS-1, 5f1c…)`. */
function choiceText(choice: Readonly<Record<string, string | null | undefined>>): string {
  const { id, ...texts } = choice;
  const [name, ...rest] = Object.values(texts).filter((text) => text !== null && text !== undefined && text !== '');
  return name === undefined ? String(id) : `"${name}" (${[...rest, id].join(', ')})`;
}

/** Called before anything is sent. @throws CliError USAGE when no prompt is possible */
export function requireConfirmable(context: Run, yes: true | undefined): void {
  if (yes || canAsk(context)) return;
  throw refusal(`A deletion needs a confirmation, and ${cannotAskReason(context)}.`, {
    hint: 'Add --yes to delete without a prompt.',
  });
}

/** @throws CliError ABORTED when the answer is no, NOT_FOUND when the only record does not exist */
export async function confirm(
  context: Context,
  client: FleetClient,
  { noun, plural, names }: Confirmation,
  ids: readonly string[],
): Promise<void> {
  const named = await names(context, client, ids);
  const [only] = named;
  if (ids.length === 1 && only === null) throw new CliError('NOT_FOUND', `There is no ${noun} with the id ${ids[0]}.`);
  if (ids.length > 1) {
    for (const [index, name] of named.slice(0, MAX_CONFIRMED_NAMES).entries()) tell(context, `  ${name ?? ids[index]}`);
    if (named.length > MAX_CONFIRMED_NAMES) tell(context, `  and ${named.length - MAX_CONFIRMED_NAMES} more`);
  }
  const what = ids.length === 1 ? `the ${noun} ${only}` : `these ${ids.length} ${plural}`;
  const answer = await ask(context, `Delete ${what}? [y/N] `);
  if (/^y(es)?$/i.test(answer)) return;
  throw new CliError('ABORTED', 'Not confirmed; nothing was deleted.');
}
