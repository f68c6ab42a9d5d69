// `fleet people`: manages drivers and users.

import { type Command, Option } from 'commander';
import { joinTrees } from '../../contract/selection/tree.js';
import { operations } from '../../generated/operation-table.js';
import type { Person } from '../../index.js';
import { allowPartial } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import { listRows } from '../connection/list-rows.js';
import type { Context, ReportingRun } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { printRows } from '../context/print.js';
import { listOf } from '../find/parts.js';
import { change } from '../plan/change.js';
import { creationOf, updateOf } from '../plan/change-spec.js';
import { addChangeFlags, type ChangeFlags } from '../plan/flags.js';
import { personKind } from '../records/person.js';
import { type DeletedFlag, deletedFlag, deletedHelp } from '../shape/deleted.js';
import { listShape } from '../shape/list-shape.js';
import { customFieldView } from '../views/custom-field.js';
import { defineSetRoles } from './people/set-roles.js';
import { defineApply } from './shared/apply-records.js';
import { defineDeletion } from './shared/define-deletion.js';
import { defineSetField } from './shared/define-set-field.js';
import { defineGetRecords } from './shared/get-records.js';

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
      ['fleet people apply drivers.csv', 'make the people match a spreadsheet'],
    ),
  );
  definePersonList(noun, open);
  defineGetRecords(
    noun,
    open,
    personKind,
    'show people (getPersonById; several: getPeople)',
    examples(
      ['fleet people get "Anna Lind"', ''],
      ['fleet people get anna.lind -o json', 'all default fields'],
      ['fleet people get "Anna Lind" "Liis Tamm" -o json', 'as an array'],
    ),
    'ids, names, e-mails or employee ids, or unique parts of names and e-mails (on a terminal)',
  );
  defineCreate(noun, open);
  defineUpdate(noun, open);
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

const definePersonList: DefineCommand = (noun, open) => {
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
};

const defineCreate: DefineCommand = (noun, open) => {
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
      }),
    );
};

const defineUpdate: DefineCommand = (noun, open) => {
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
      }),
    );
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
  const isSelected = ({ isDriver, isUser }: Person) => (!drivers || isDriver === true) && (!users || isUser === true);
  const matching = await listRows(context, client, 'getPeople', { select: whole }, isSelected);
  const what = drivers ? 'driver' : users ? 'user' : 'person';
  await printRows(context, shape.rows(matching), shape.view, `No ${what} is visible to this user.`);
}

const defineApplyPeople: DefineCommand = (noun, open) =>
  defineApply(
    noun,
    open,
    {
      kind: personKind,
      warnOfNew: warnIfNeitherDriverNorUser,
      file: 'csv, xlsx, tsv, JSON or YAML with the columns of `fleet people list -o csv`, roles, and customFields.<name> (- for stdin)',
    },
    `${examples(
      ['fleet people apply drivers.csv', 'the plan, a question, then the changes'],
      ['fleet people apply drivers.csv --dry-run', 'the plan only; exit code 10 when something differs'],
      ['fleet people apply drivers.csv --yes -o json', 'in a script'],
    )}\n\n- A person is found by id, else by employee id, e-mail or whole name. An unknown employee id creates
  a new person.
- Roles are ids or names, separated by ;. They replace the earlier ones.
- --prune deletes everybody who is not in the file, users of the service too.`,
  );

/** Warns once about new people who can neither drive nor log in. The contract accepts them. */
function warnIfNeitherDriverNorUser(run: ReportingRun, { isDriver, isUser }: Readonly<Record<string, unknown>>): void {
  if (typeof isDriver === 'boolean' || isUser === true) return;
  run.report.warn(
    'New people without isDriver or isUser are neither drivers nor users: they cannot be assigned to a vehicle. For drivers add a column isDriver with yes; `fleet people update` changes it later.',
  );
}

const definePersonFields: DefineCommand = (noun, open) => {
  noun
    .command('fields')
    .description('list the custom fields of a person (getPersonCustomFields)')
    .argument('<person>', 'id, name, e-mail or employee id, or a unique part of a name or e-mail (on a terminal)')
    .addHelpText('after', examples(['fleet people fields "Anna Lind"', '']))
    .action((person: string) => listFields(open(), person));

  defineSetField(noun, open, {
    kind: personKind,
    description: 'set a custom field of a person (updatePersonCustomField)',
    argument: ['[person]', 'id, or the whole name, e-mail or employee id; leave out with --input'],
    listVerb: 'fleet people fields',
    help: examples(
      ['fleet people set-field "Anna Lind" Department Garage', ''],
      ['fleet people set-field "Anna Lind" Department ""', 'clear the field'],
    ),
    read: (client, personId, options) => client.getPersonCustomFields({ personId }, options),
  });
};

async function listFields(context: Context, person: string): Promise<void> {
  const shape = listShape(context, customFieldView, operations.getPersonCustomFields);
  const client = await connect(context);
  const fields = await listOf(context, client, personKind, person, (personId, own) =>
    allowPartial(own, (options) =>
      call(client, 'getPersonCustomFields', { personId }, { ...options, ...shape.options }),
    ),
  );
  await printRows(context, shape.rows(fields), shape.view, 'This person has no custom fields.');
}
