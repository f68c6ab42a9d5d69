// `fleet doctor`: from the configuration to the contract, what is in order and what is not, with the next step. Exit code of the first
// thing that is broken.

import { type Check, type Finding, findingOf, skipped } from '../doctor/check.js';
import { checksOf } from '../doctor/checks.js';
import { CliError } from '../errors/cli-error.js';
import { colorsFor } from '../output/colors.js';
import { plainText } from '../output/plain-text.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, formatOf, printRows } from '../run/context.js';
import { write } from '../run/io.js';
import { listShape } from '../shape/list-shape.js';
import { type CheckRow, checkLines, doctorView } from '../views/doctor.js';

export const define: DefineCommand = (noun, open) => {
  noun
    .summary('look for what is wrong between here and the service')
    .description(
      'Look at everything between here and the service, and say what to do about what is wrong: ' +
        'settings, address, proxy, TLS, clock, login, users, the turn among processes, and whether ' +
        'the service still is what this program was made for. Changes nothing at the service.',
    )
    .addHelpText(
      'after',
      `${examples(
        ['fleet doctor', ''],
        ['fleet doctor --profile test', 'of another login'],
        ['fleet doctor -o json | jq -r \'.[] | select(.status == "fail") | .next\'', ''],
      )}\n\nExit code of the first thing that is broken; warnings alone are 0.`,
    )
    .action(() => doctor(open()));
};

async function doctor(context: Context): Promise<void> {
  const shape = listShape<CheckRow>(context, doctorView, 'view');
  const outcome: { failed: Failed | null } = { failed: null };
  const rows = examined(context, checksOf(context), (failed) => {
    outcome.failed = failed;
  });
  if (formatOf(context) === 'table' && context.globals.fields === undefined) {
    const { stdout, env } = context.io;
    const colors = colorsFor(stdout, env);
    const width = stdout.isTTY === true ? stdout.columns || 80 : undefined;
    for await (const row of shape.rows(rows)) {
      await write(stdout, `${checkLines(row, colors, width).join('\n')}\n`);
    }
  } else {
    await printRows(context, shape.rows(rows), shape.view, '');
  }
  if (outcome.failed === null) return;
  const { row, code } = outcome.failed;
  const message = `The ${row.check} check failed: ${row.detail}`;
  throw new CliError(code, message.endsWith('.') ? message : `${message}.`, { hint: row.next ?? undefined });
}

interface Failed {
  readonly row: CheckRow;
  readonly code: NonNullable<Finding['code']>;
}

/** One after the other; what rests on something broken is not looked at. */
async function* examined(
  context: Context,
  checks: readonly Check[],
  onFailure: (failed: Failed) => void,
): AsyncGenerator<CheckRow> {
  let broken: string | null = null;
  for (const { name, look } of checks) {
    const found: Finding =
      broken !== null
        ? skipped(`not looked at: ${broken} comes first`)
        : await look().catch((error: unknown) => {
            if (context.io.signal.aborted) throw error;
            return findingOf(error, context.globals.timeout);
          });
    const row = { check: name, status: found.status, detail: plainText(found.detail), next: found.next ?? null };
    if (found.status === 'fail') {
      broken = name;
      onFailure({ row, code: found.code ?? 'UNEXPECTED' });
    }
    yield row;
  }
}
