// `fleet tokens`: what drivers identify with at a vehicle. The service has no list of them; people carry theirs.
import { change } from '../change/change.js';
import { asksAbout } from '../change/confirm.js';
import { addChangeFlags, type ChangeFlags } from '../change/flags.js';
import { idsOf, type Reference } from '../change/plan.js';
import { CliError } from '../errors/cli-error.js';
import { driverKind, tokenKind } from '../find/kinds.js';
import { type DefineCommand, examples } from '../run/command.js';
import { driverTokenView } from '../views/driver-token.js';

interface UpdateFlags extends ChangeFlags {
  readonly value?: string;
  readonly driver?: string;
}

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet tokens create "Anna Lind" 01A2B3C4', ''],
      ['fleet tokens update 7E3E625A28AB05C7 --driver "Milda Saar"', 'hand it on'],
      ['fleet people list --fields firstName,lastName,driverTokens.value', 'all there are'],
    ),
  );
  const create = noun
    .command('create')
    .description('give a driver a token (createDriverToken)')
    .argument('[driver]', 'id, or the whole name, e-mail or employee id; left out when --input says it')
    .argument('[value]', 'what the reader reads');
  addChangeFlags(create, { input: true, asks: false });
  create
    .addHelpText(
      'after',
      examples(
        ['fleet tokens create "Anna Lind" 01A2B3C4', ''],
        ['fleet tokens create --input tokens.ndjson', 'many: {"driverId": "Anna Lind", "value": "01A2B3C4"} per line'],
      ),
    )
    .action((driver: string | undefined, value: string | undefined, flags: ChangeFlags) => {
      if (flags.input === undefined && !flags.skeleton && driver !== undefined && value === undefined) {
        throw new CliError('USAGE', 'The value of the token is missing. Nothing was sent.', {
          hint: 'For example `fleet tokens create "Anna Lind" 01A2B3C4`.',
        });
      }
      return change(open(), flags, {
        operation: 'createDriverToken',
        input: { variable: 'createDriverTokenInput', type: 'CreateDriverTokenInput' },
        references: [driverReference(driver, '<driver>')],
        flags: { value },
        shown: { view: driverTokenView },
      });
    });

  const update = noun
    .command('update')
    .description('change a token, or hand it to another driver (updateDriverToken)')
    .argument('[token]', 'its id or its value; left out when --input says it')
    .option('--value <value>', 'what the reader reads')
    .option('--driver <driver>', 'whose it is from now on: id, name, e-mail or employee id');
  addChangeFlags(update, { input: true, asks: false });
  update
    .addHelpText('after', examples(['fleet tokens update 7E3E625A28AB05C7 --driver "Milda Saar"', '']))
    .action((token: string | undefined, flags: UpdateFlags) =>
      change(open(), flags, {
        operation: 'updateDriverToken',
        input: { variable: 'updateDriverTokenInput', type: 'UpdateDriverTokenInput' },
        references: [tokenReference(token), driverReference(flags.driver, null)],
        flags: { value: flags.value },
        shown: { view: driverTokenView },
      }),
    );

  const remove = noun
    .command('delete')
    .description('take a token away (deleteDriverToken)')
    .argument('[token]', 'its id or its value; left out when --input says it');
  addChangeFlags(remove, { input: false, asks: true });
  remove
    .addHelpText('after', examples(['fleet tokens delete 7E3E625A28AB05C7 --yes', '']))
    .action((token: string | undefined, flags: ChangeFlags) =>
      change(open(), flags, {
        operation: 'deleteDriverToken',
        input: null,
        references: [tokenReference(token)],
        flags: {},
        asks: asksAbout(tokenKind),
        shown: { deleted: 'driver token' },
      }),
    );
};

function tokenReference(said: string | undefined): Reference {
  return { name: 'tokenId', into: 'variables', resolve: idsOf(tokenKind), said, needed: '<token>' };
}

function driverReference(said: string | undefined, needed: string | null): Reference {
  return { name: 'driverId', into: 'input', resolve: idsOf(driverKind), said, needed };
}
