// `fleet doctor`: runs all checks. The exit code is that of the first failed one.
import type { Context, Run } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { formatOf, printRows } from '../context/print.js';
import { type CheckFinding, type DoctorCheck, findingOf, skipped } from '../doctor/check.js';
import { checksOf } from '../doctor/checks.js';
import { CliError } from '../errors/cli-error.js';
import { asSentence } from '../errors/sentence.js';
import { colorsFor } from '../io/colors.js';
import { columnsOf, write } from '../io/io.js';
import { plainText } from '../io/plain-text.js';
import { listShape } from '../shape/list-shape.js';
import { type CheckRow, checkLines, doctorView } from '../views/doctor.js';

export const define: DefineCommand = (noun, open) => {
  noun
    .summary('find out what is wrong between here and the service')
    .description(
      'Check everything between here and the service, and print how to fix what is wrong. ' +
        'Local checks: settings, address, proxy, TLS, clock, the lock shared by processes and installed packages. ' +
        'Checks of the service: login, users, readable lists and the contract. ' +
        'Changes nothing in the service.',
    )
    .addHelpText(
      'after',
      `${examples(
        ['fleet doctor', ''],
        ['fleet doctor --profile test', 'check another login'],
        ['fleet doctor -o json | jq -r \'.[] | select(.status == "fail") | .next\'', ''],
      )}\n\nThe exit code is that of the first failed check. With warnings only it is 0.`,
    )
    .action(() => doctor(open()));
};

async function doctor(context: Context): Promise<void> {
  const shape = listShape<CheckRow>(context, doctorView, 'view');
  const outcome: { failure: FailedCheck | null } = { failure: null };
  const rows = runChecks(context, checksOf(context), (failure) => {
    outcome.failure = failure;
  });
  if (formatOf(context).forPeople && context.globals.fields === undefined) {
    const { stdout, env } = context.io;
    const colors = colorsFor(stdout, env);
    const width = stdout.isTTY === true ? columnsOf(stdout) : undefined;
    for await (const row of shape.rows(rows)) {
      await write(stdout, `${checkLines(row, colors, width).join('\n')}\n`);
    }
  } else {
    await printRows(context, shape.rows(rows), shape.view, '');
  }
  if (outcome.failure === null) return;
  const { row, code, httpStatus } = outcome.failure;
  throw new CliError(code, asSentence(`The ${row.check} check failed: ${row.detail}`), {
    hint: row.next ?? undefined,
    httpStatus,
  });
}

interface FailedCheck extends Pick<CheckFinding, 'httpStatus'> {
  readonly row: CheckRow;
  readonly code: NonNullable<CheckFinding['code']>;
}

/** Runs the checks in order. After a failure, dependent checks are skipped. */
async function* runChecks(
  run: Run,
  checks: readonly DoctorCheck[],
  onFailure: (failure: FailedCheck) => void,
): AsyncGenerator<CheckRow> {
  let failedName: string | null = null;
  for (const { name, isIndependent, run: find } of checks) {
    const found: CheckFinding =
      failedName !== null && !isIndependent
        ? skipped(`not checked: fix ${failedName} first`)
        : await find().catch((error: unknown) => {
            if (run.io.signal.aborted) throw error;
            return findingOf(error, run.globals.timeout);
          });
    const row = { check: name, status: found.status, detail: plainText(found.detail), next: found.next ?? null };
    if (found.status === 'fail') {
      failedName = name;
      onFailure({ row, code: found.code ?? 'UNEXPECTED', httpStatus: found.httpStatus });
    }
    yield row;
  }
}
