import { examples } from "../context/define-command.js";
import { formatOf, printRows } from "../context/print.js";
import { findingOf, skipped } from "../doctor/check.js";
import { checksOf } from "../doctor/checks.js";
import { CliError } from "../errors/cli-error.js";
import { sentence } from "../errors/sentence.js";
import { colorsFor } from "../io/colors.js";
import { columnsOf, write } from "../io/io.js";
import { plainText } from "../io/plain-text.js";
import { listShape } from "../shape/list-shape.js";
import { checkLines, doctorView } from "../views/doctor.js";
const define = (noun, open) => {
  noun.summary("find out what is wrong between here and the service").description(
    "Check everything between here and the service, and say how to fix what is wrong: settings, address, proxy, TLS, clock, login, users, the turn among processes, whether the service still follows the contract of this program, which lists it lets the user read, and which packages are installed. Changes nothing in the service."
  ).addHelpText(
    "after",
    `${examples(
      ["fleet doctor", ""],
      ["fleet doctor --profile test", "check another login"],
      [`fleet doctor -o json | jq -r '.[] | select(.status == "fail") | .next'`, ""]
    )}

The exit code is that of the first failed check; it is 0 with warnings only.`
  ).action(() => doctor(open()));
};
async function doctor(context) {
  const shape = listShape(context, doctorView, "view");
  const outcome = { failure: null };
  const rows = runChecks(context, checksOf(context), (failure) => {
    outcome.failure = failure;
  });
  if (formatOf(context).forPeople && context.globals.fields === void 0) {
    const { stdout, env } = context.io;
    const colors = colorsFor(stdout, env);
    const width = stdout.isTTY === true ? columnsOf(stdout) : void 0;
    for await (const row2 of shape.rows(rows)) {
      await write(stdout, `${checkLines(row2, colors, width).join("\n")}
`);
    }
  } else {
    await printRows(context, shape.rows(rows), shape.view, "");
  }
  if (outcome.failure === null) return;
  const { row, code, httpStatus } = outcome.failure;
  throw new CliError(code, sentence(`The ${row.check} check failed: ${row.detail}`), {
    hint: row.next ?? void 0,
    httpStatus
  });
}
async function* runChecks(run, checks, onFailure) {
  let failedName = null;
  for (const { name, isIndependent, run: find } of checks) {
    const found = failedName !== null && !isIndependent ? skipped(`not checked: fix ${failedName} first`) : await find().catch((error) => {
      if (run.io.signal.aborted) throw error;
      return findingOf(error, run.globals.timeout);
    });
    const row = { check: name, status: found.status, detail: plainText(found.detail), next: found.next ?? null };
    if (found.status === "fail") {
      failedName = name;
      onFailure({ row, code: found.code ?? "UNEXPECTED", httpStatus: found.httpStatus });
    }
    yield row;
  }
}
export {
  define
};
