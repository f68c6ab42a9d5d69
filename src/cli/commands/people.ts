// `fleet people`: manages drivers and users.
import { type Command, Option } from 'commander';
import { joinTrees } from '../../contract/selection/tree.js';
import { operations } from '../../generated/operation-table.js';
import type { Person } from '../../index.js';
import { connect } from '../connection/connect.js';
import { listRows } from '../connection/list-rows.js';
import type { Context } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { printRows } from '../context/print.js';
import { change } from '../plan/change.js';
import { creationOf, updateOf } from '../plan/change-spec.js';
import { addChangeFlags, type ChangeFlags } from '../plan/flags.js';
import { personKind } from '../records/person.js';
import { type DeletedFlag, deletedFlag, deletedHelp } from '../shape/deleted.js';
import { listShape } from '../shape/list-shape.js';
import { defineApplyPeople } from './people/apply.js';
import { definePersonFields } from './people/fields.js';
import { defineSetRoles } from './people/set-roles.js';
import { defineDeletion } from './shared/define-deletion.js';
import { getRecords, severalHelp } from './shared/get-records.js';

interface PersonFlags extends ChangeFlags {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly employeeId?: string;
  readonly licenseNumber?: string;
  readonly licenseIssuedIn?: string;
  readonly isDriver?: boolean;
  readonly isUser?: boolean;
}

interface ListFlags extends DeletedFlag {
  readonly drivers?: true;
  readonly users?: true;
}

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet people list --drivers', ''],
      ['fleet people get "Anna Lind"', 'by name, e-mail, employee id or id'],
      ['fleet people create --first-name Anna --last-name Tamm --is-driver', ''],
      ['fleet people apply drivers.csv', 'make the people those of a spreadsheet'],
    ),
  );
  noun
    .command('list')
    .description('list the people visible to the user (getPeople)')
    .addOption(new Option('--drivers', 'only drivers').conflicts('users'))
    .addOption(new Option('--users', 'only users of the service'))
    .option(deletedFlag, deletedHelp)
    .addHelpText(
      'after',
      examples(
        ['fleet people list --drivers --sort lastName', ''],
        ['fleet people list --fields id,firstName,lastName,driverTokens.value', ''],
        ['fleet people list -o json', 'all default fields, as an array'],
      ),
    )
    .action((flags: ListFlags) => list(open(), flags));
  noun
    .command('get')
    .description('show people (getPersonById; several: getPeople)')
    .argument(
      '[person...]',
      'ids, names, e-mails or employee ids, or unique parts of names and e-mails (on a terminal); default: all',
    )
    .addHelpText(
      'after',
      `${examples(
        ['fleet people get "Anna Lind"', ''],
        ['fleet people get anna.lind -o json', 'all default fields'],
        ['fleet people get "Anna Lind" "Liis Tamm" -o json', 'as an array'],
      )}${severalHelp}`,
    )
    .action((names: readonly string[]) => getRecords(open(), personKind, names));

  const create = noun.command('create').description('add a person (createPerson)');
  addPersonFlags(create);
  addChangeFlags(create);
  create
    .addHelpText(
      'after',
      examples(
        ['fleet people create --first-name Anna --last-name Tamm --is-driver', ''],
        ['fleet people apply drivers.csv', 'several, from a spreadsheet'],
      ),
    )
    .action((flags: PersonFlags) =>
      change(open(), flags, {
        ...creationOf(personKind),
        flags: fieldsOf(flags),
        display: { view: personKind.view },
      }),
    );

  const update = noun
    .command('update')
    .description('change a person (updatePerson); what is not given stays unchanged')
    .argument('[person]', 'id, or the whole name, e-mail or employee id; leave out with --input');
  addPersonFlags(update);
  addChangeFlags(update);
  update
    .addHelpText(
      'after',
      examples(
        ['fleet people update "Anna Lind" --phone +3725551234', ''],
        ['fleet people list -o csv > people.csv', 'edit it, and then:'],
        ['fleet people apply people.csv', 'several: what is not given stays unchanged'],
      ),
    )
    .action((person: string | undefined, flags: PersonFlags) =>
      change(open(), flags, {
        ...updateOf(personKind, person),
        flags: fieldsOf(flags),
        display: { view: personKind.view },
      }),
    );

  defineDeletion(noun, open, {
    kind: personKind,
    names: 'ids, or whole names, e-mails or employee ids',
    filters: true,
    help: examples(
      ['fleet people delete "Anna Lind"', 'asks for confirmation'],
      ['fleet people delete "Anna Lind" "Liis Tamm" --yes', 'several, in a script'],
    ),
  });

  defineApplyPeople(noun, open);
  definePersonFields(noun, open);
  defineSetRoles(noun, open);
};

function addPersonFlags(command: Command): void {
  command
    .option('--first-name <text>', 'given name')
    .option('--last-name <text>', 'family name')
    .option('--email <address>', 'e-mail address')
    .option('--phone <number>', 'phone number with country code')
    .option('--employee-id <text>', 'employee number')
    .option('--license-number <text>', 'number of the driving license')
    .option('--license-issued-in <text>', 'where the license was issued')
    .option('--is-driver', 'can be assigned to vehicles')
    .option('--no-is-driver', 'cannot be assigned to vehicles')
    .option('--is-user', 'may use the service')
    .option('--no-is-user', 'may not use the service');
}

function fieldsOf(flags: PersonFlags): Readonly<Record<string, unknown>> {
  const { firstName, lastName, email, phone, employeeId, licenseNumber, licenseIssuedIn, isDriver, isUser } = flags;
  return { firstName, lastName, email, phone, employeeId, licenseNumber, licenseIssuedIn, isDriver, isUser };
}

async function list(context: Context, { drivers, users, deleted }: ListFlags): Promise<void> {
  const shape = listShape(context, personKind.view, operations.getPeople, deleted === true);
  const { select } = shape.options;
  const client = await connect(context);
  const whole = select && joinTrees(select, { isDriver: true, isUser: true });
  const isWanted = ({ isDriver, isUser }: Person) => (!drivers || isDriver === true) && (!users || isUser === true);
  const matching = await listRows(context, client, 'getPeople', { select: whole }, isWanted);
  const what = drivers ? 'driver' : users ? 'user' : 'person';
  await printRows(context, shape.rows(matching), shape.view, `No ${what} is visible to this user.`);
}
