// `fleet tokens`: manages tokens of drivers. The service lists them only with their drivers.
import { joinTrees } from '../../contract/selection/tree.js';
import type { Person } from '../../index.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import type { Report } from '../context/report.js';
import { refusal } from '../errors/cli-error.js';
import { change } from '../plan/change.js';
import { creationOf, type Reference, updateOf } from '../plan/change-spec.js';
import { addChangeFlags, type ChangeFlags } from '../plan/flags.js';
import { type TokenOfDriver, tokenKind } from '../records/driver-token.js';
import { isSameText } from '../records/names.js';
import { driverKind } from '../records/person.js';
import { type RecordKind, rowsIn } from '../records/record-kind.js';
import { defineApply } from './shared/apply-records.js';
import { defineDeletion } from './shared/define-deletion.js';

interface UpdateFlags extends ChangeFlags {
  readonly value?: string;
  readonly driver?: string;
}

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet tokens create "Anna Lind" 01A2B3C4', ''],
      ['fleet tokens update 7E3E625A28AB05C7 --driver "Milda Saar"', 'give it to another driver'],
      ['fleet tokens apply tokens.csv', 'make the tokens match a spreadsheet'],
      ['fleet people list --fields firstName,lastName,driverTokens.value', 'list all tokens'],
    ),
  );
  defineCreate(noun, open);
  defineUpdate(noun, open);
  defineApply(
    noun,
    open,
    {
      kind: tokenKind,
      select: tokenKind.identity,
      input: { columns: { token: 'value' } },
      file: 'csv, xlsx, tsv, JSON or YAML with the columns driver and value (- for stdin); matched by id, else by value',
    },
    `${examples(
      ['fleet tokens apply tokens.csv', 'the plan, a question, then the changes'],
      ['fleet tokens apply tokens.csv --dry-run', 'the plan only; exit code 10 when something differs'],
      ['driver,value', 'the first line of such a file'],
    )}\n\nA token with another driver in the file is moved to that driver. --prune deletes every token that is not in the file.`,
  );

  defineDeletion(noun, open, {
    kind: tokenKind,
    names: 'their ids or values',
    filters: false,
    help: examples(['fleet tokens delete 7E3E625A28AB05C7 --yes', '']),
  });
};

const defineCreate: DefineCommand = (noun, open) => {
  const create = noun
    .command('create')
    .description('give a driver a token (createDriverToken)')
    .argument('[driver]', 'id, or the whole name, e-mail or employee id; leave out with --input')
    .argument('[value]', 'value that the token reader reads');
  addChangeFlags(create);
  create
    .addHelpText('after', examples(['fleet tokens create "Anna Lind" 01A2B3C4', '']))
    .action((driver: string | undefined, value: string | undefined, flags: ChangeFlags) => {
      if (flags.input === undefined && driver !== undefined && value === undefined) {
        throw refusal('The value of the token is missing.', {
          hint: 'For example `fleet tokens create "Anna Lind" 01A2B3C4`.',
        });
      }
      const context = open();
      return change(context, flags, {
        ...creationOf(tokenKind, [driverReference(driver, '<driver>', driverWithTokensKind)]),
        flags: { value },
        contradiction: ({ value: newValue }, { records }) => {
          const drivers = [...records.values()].map(({ row }) => row);
          warnOfSameValue(context.report, newValue, rowsIn<TokenOfDriver>(tokenKind, drivers));
          return null;
        },
      });
    });
};

const defineUpdate: DefineCommand = (noun, open) => {
  const update = noun
    .command('update')
    .description('change a token, or give it to another driver (updateDriverToken)')
    .argument('[token]', 'its id or value; leave out with --input')
    .option('--value <value>', 'value that the token reader reads')
    .option('--driver <driver>', 'its new driver: id, name, e-mail or employee id');
  addChangeFlags(update);
  update
    .addHelpText('after', examples(['fleet tokens update 7E3E625A28AB05C7 --driver "Milda Saar"', '']))
    .action((token: string | undefined, flags: UpdateFlags) => {
      const context = open();
      return change(context, flags, {
        ...updateOf(tokenKind, token, [driverReference(flags.driver, null)]),
        flags: { value: flags.value },
        contradiction: ({ value, tokenId }, { records }) => {
          const tokens = [...records].filter(([id]) => id !== tokenId).map(([, { row }]) => row as TokenOfDriver);
          warnOfSameValue(context.report, value, tokens);
          return null;
        },
      });
    });
};

function driverReference(
  typed: string | undefined,
  requiredAs: string | null,
  kind: RecordKind<never> = driverKind,
): Reference {
  return { name: 'driverId', into: 'input', kind, typed, requiredAs };
}

const driverWithTokensKind: RecordKind<Person> = {
  ...driverKind,
  identity: joinTrees(driverKind.identity, tokenKind.identity),
};

/** Warns about a second token with this value. Readers differ in letter case. */
function warnOfSameValue(report: Report, value: unknown, tokens: readonly TokenOfDriver[]): void {
  if (typeof value !== 'string') return;
  const same = tokens.find((token) => token.value && isSameText(token.value, value, 'text'));
  if (same === undefined) return;
  const difference = same.value === value ? '' : ', in other letter case';
  report.warn(`${same.holder} has a token of this value already${difference}. A reader cannot tell the two apart.`);
}
