// Asks before what cannot be taken back, in words that say what it is. Where nobody can be asked it takes --yes.
import type { FleetClient } from '../../index.js';
import { CliError } from '../errors/cli-error.js';
import { choicesById, type Kind } from '../find/record.js';
import { ask } from '../prompt/ask.js';
import { type Context, canAsk, note } from '../run/context.js';

/** What is asked about. */
export interface Asks {
  readonly noun: string;
  readonly plural: string;
  /** How people know each of the ids; null for one that is not there. */
  readonly names: (
    context: Context,
    client: FleetClient,
    ids: readonly string[],
  ) => Promise<readonly (string | null)[]>;
}

export function asksAbout<Row>(kind: Kind<Row>): Asks {
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

/** @throws CliError USAGE when there is nobody to ask. Nothing has been sent by then, not even a question for a name. */
export function requireConfirmable(context: Context, yes: true | undefined): void {
  if (yes || canAsk(context)) return;
  const why = context.globals.input ? 'this is not a terminal' : '--no-input forbids to ask';
  throw new CliError('USAGE', `Deleting has to be confirmed, and ${why}. Nothing was sent.`, {
    hint: 'Add --yes to delete without being asked.',
  });
}

/** More than this nobody reads. */
const mostNamed = 10;

/** @throws CliError ABORTED when the answer is no, NOT_FOUND when the only record is not there. */
export async function confirm(
  context: Context,
  client: FleetClient,
  { noun, plural, names }: Asks,
  ids: readonly string[],
): Promise<void> {
  const named = await names(context, client, ids);
  const [only] = named;
  if (ids.length === 1 && only === null) throw new CliError('NOT_FOUND', `There is no ${noun} with the id ${ids[0]}.`);
  if (ids.length > 1) {
    for (const [place, name] of named.slice(0, mostNamed).entries()) note(context, `  ${name ?? ids[place]}`);
    if (named.length > mostNamed) note(context, `  and ${named.length - mostNamed} more`);
  }
  const what = ids.length === 1 ? `the ${noun} ${only}` : `these ${ids.length} ${plural}`;
  const answer = await ask(context, `Delete ${what}? [y/N] `);
  if (/^y(es)?$/i.test(answer)) return;
  throw new CliError('ABORTED', 'Not confirmed; nothing was deleted.');
}
