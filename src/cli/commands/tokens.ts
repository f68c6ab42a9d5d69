// `fleet tokens`: manages the tokens that identify drivers at a vehicle. The service lists them only with their drivers.
import { joinTrees } from '../../contract/selection/tree.js';
import type { Person } from '../../index.js';
import { change } from '../change/change.js';
import type { Reference, Subject } from '../change/change-spec.js';
import { addChangeFlags, type ChangeFlags } from '../change/flags.js';
import { lookupOf } from '../change/lookup.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import type { Report } from '../context/report.js';
import { refusal } from '../errors/cli-error.js';
import { driverKind, type TokenOfDriver, tokenKind } from '../find/kinds.js';
import { driverTokenView } from '../views/driver-token.js';
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
      ['fleet people list --fields firstName,lastName,driverTokens.value', 'list all tokens'],
    ),
  );
  const create = noun
    .command('create')
    .description('give a driver a token (createDriverToken)')
    .argument('[driver]', 'id, or the whole name, e-mail or employee id; leave out with --input')
    .argument('[value]', 'value that the token reader reads');
  addChangeFlags(create, { takesInput: true, confirms: false });
  create
    .addHelpText(
      'after',
      examples(
        ['fleet tokens create "Anna Lind" 01A2B3C4', ''],
        [
          'fleet tokens create --input tokens.ndjson',
          'several: {"driverId": "Anna Lind", "value": "01A2B3C4"} per line',
        ],
      ),
    )
    .action((driver: string | undefined, value: string | undefined, flags: ChangeFlags) => {
      if (flags.input === undefined && !flags.skeleton && driver !== undefined && value === undefined) {
        throw refusal('The value of the token is missing.', {
          hint: 'For example `fleet tokens create "Anna Lind" 01A2B3C4`.',
        });
      }
      const context = open();
      return change(context, flags, {
        operation: 'createDriverToken',
        subject: { ...subject, action: 'create' },
        printed: { type: 'DriverToken', views: [driverTokenView] },
        input: { variable: 'createDriverTokenInput', type: 'CreateDriverTokenInput' },
        references: [driverReference(driver, '<driver>', driverWithTokensKind)],
        flags: { value },
        contradiction: ({ value: given }, { records }) => {
          const drivers = [...records.values()].map(({ row }) => row as Person);
          warnOfSameValue(context.report, given, tokenKind.within?.(drivers) ?? []);
          return null;
        },
        display: { view: driverTokenView },
      });
    });

  const update = noun
    .command('update')
    .description('change a token, or give it to another driver (updateDriverToken)')
    .argument('[token]', 'its id or value; leave out with --input')
    .option('--value <value>', 'value that the token reader reads')
    .option('--driver <driver>', 'its new driver: id, name, e-mail or employee id');
  addChangeFlags(update, { takesInput: true, confirms: false });
  update
    .addHelpText('after', examples(['fleet tokens update 7E3E625A28AB05C7 --driver "Milda Saar"', '']))
    .action((token: string | undefined, flags: UpdateFlags) => {
      const context = open();
      return change(context, flags, {
        operation: 'updateDriverToken',
        subject,
        sets: true,
        printed: { type: 'DriverToken', views: [driverTokenView] },
        input: { variable: 'updateDriverTokenInput', type: 'UpdateDriverTokenInput' },
        references: [tokenReference(token), driverReference(flags.driver, null)],
        flags: { value: flags.value },
        contradiction: ({ value, tokenId }, { records }) => {
          const tokens = [...records].filter(([id]) => id !== tokenId).map(([, { row }]) => row as TokenOfDriver);
          warnOfSameValue(context.report, value, tokens);
          return null;
        },
        display: { view: driverTokenView },
      });
    });

  defineDeletion(noun, open, {
    kind: tokenKind,
    operation: 'deleteDriverToken',
    description: 'delete tokens (deleteDriverToken)',
    argument: ['[token...]', 'their ids or values; leave out with --input'],
    help: examples(['fleet tokens delete 7E3E625A28AB05C7 --yes', '']),
    reference: tokenReference,
    printed: { type: 'DriverToken', views: [driverTokenView] },
  });
};

/** What a change of tokens does, for its plan. */
const subject: Subject = {
  kind: tokenKind.noun,
  action: 'update',
  type: 'DriverToken',
  nameOf: ({ value }) => String(value ?? ''),
};

function tokenReference(typed: string | undefined): Reference {
  return { name: 'tokenId', into: 'variables', lookup: lookupOf(tokenKind), typed, requiredAs: '<token>' };
}

function driverReference(typed: string | undefined, requiredAs: string | null, kind = driverKind): Reference {
  return { name: 'driverId', into: 'input', lookup: lookupOf(kind), typed, requiredAs };
}

/** Drivers with the tokens that they have already. */
const driverWithTokensKind: typeof driverKind = {
  ...driverKind,
  identity: joinTrees(driverKind.identity, tokenKind.identity),
};

/** Readers report a value in upper or in lower case, so that two tokens which differ in it are one to them. */
function warnOfSameValue(report: Report, value: unknown, tokens: readonly TokenOfDriver[]): void {
  if (typeof value !== 'string') return;
  const same = tokens.find((token) => token.value?.toLowerCase() === value.toLowerCase());
  if (same === undefined) return;
  const difference = same.value === value ? '' : ', in other letter case';
  report.warn(`${same.holder} has a token of this value already${difference}. A reader cannot tell the two apart.`);
}
