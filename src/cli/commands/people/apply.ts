// `fleet people apply`: makes the people those of a file.
import type { ReportingRun } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { personKind } from '../../records/person.js';
import { defineApply } from '../shared/apply-records.js';

export const defineApplyPeople: DefineCommand = (noun, open) =>
  defineApply(
    noun,
    open,
    {
      kind: personKind,
      tellOfNew: tellOfNoPart,
      file: 'csv, xlsx, tsv, JSON or YAML with the columns of `fleet people list -o csv`, roles, and customFields.<name> (- for stdin)',
    },
    `${examples(
      ['fleet people apply drivers.csv', 'the plan, a question, then the changes'],
      ['fleet people apply drivers.csv --dry-run', 'the plan only; exit code 10 when something differs'],
      ['fleet people apply drivers.csv --yes -o json', 'in a script'],
    )}\n\nA person is found by id, else by employee id, e-mail or whole name. An employee id that nobody has is that of a new person.\nRoles are ids or names with ; between them, and replace the earlier ones.\n--prune deletes everybody who is not in the file, users of the service too.`,
  );

/** Warns once of new people who can neither drive nor log in. The contract accepts them. */
function tellOfNoPart(run: ReportingRun, { isDriver, isUser }: Readonly<Record<string, unknown>>): void {
  if (typeof isDriver === 'boolean' || isUser === true) return;
  run.report.warn(
    'New people without isDriver or isUser are neither drivers nor users: they can be assigned to no vehicle. For drivers add a column isDriver with yes; `fleet people update` changes it later.',
  );
}
