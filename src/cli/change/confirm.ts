// Asks before what cannot be taken back. Where nobody can be asked it takes --yes.
import { CliError } from '../cli-error.js';
import { type Context, canAsk } from '../context.js';
import { ask } from '../prompt/ask.js';

/** `what` completes "Delete …?". @throws CliError USAGE when there is nobody to ask, ABORTED when the answer is no. */
export async function confirm(context: Context, what: string, yes: true | undefined): Promise<void> {
  if (yes) return;
  if (!canAsk(context)) {
    const why = context.globals.input ? 'this is not a terminal' : '--no-input forbids to ask';
    throw new CliError('USAGE', `Deleting has to be confirmed, and ${why}. Nothing was sent.`, {
      hint: 'Add --yes to delete without being asked.',
    });
  }
  const answer = await ask(context, `Delete ${what}? [y/N] `);
  if (/^y(es)?$/i.test(answer)) return;
  throw new CliError('ABORTED', 'Not confirmed; nothing was deleted.');
}
