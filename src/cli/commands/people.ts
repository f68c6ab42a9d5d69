// `fleet people`: drivers, users, or both.
import { type Command, Option } from 'commander';
import { joinTrees } from '../../contract/selection/tree.js';
import { operations } from '../../generated/operation-table.js';
import { change } from '../change/change.js';
import { asksAbout } from '../change/confirm.js';
import { addChangeFlags, type ChangeFlags } from '../change/flags.js';
import { idsOf, type Reference } from '../change/plan.js';
import { call } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import { tolerate } from '../errors/partial-result.js';
import { personKind } from '../find/kinds.js';
import { findRecord } from '../find/record.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, printRecord, printRows } from '../run/context.js';
import { listShape, recordShape } from '../shape/list-shape.js';
import { personView } from '../views/person.js';
import { defineFields } from './people/fields.js';
import { defineSetRoles } from './people/set-roles.js';

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

interface ListFlags {
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
    ),
  );
  noun
    .command('list')
    .description('list the people visible to the user (getPeople)')
    .addOption(new Option('--drivers', 'only those who drive').conflicts('users'))
    .addOption(new Option('--users', 'only those who may use the service'))
    .addHelpText(
      'after',
      examples(
        ['fleet people list --drivers --sort lastName', ''],
        ['fleet people list --fields id,firstName,lastName,driverTokens.value', ''],
        ['fleet people list -o json', 'every default field, as an array'],
      ),
    )
    .action((flags: ListFlags) => list(open(), flags));
  noun
    .command('get')
    .description('show one person (getPersonById)')
    .argument('<person>', 'id, or a name, e-mail or employee id, or a part of one that fits a single person')
    .addHelpText(
      'after',
      examples(['fleet people get "Anna Lind"', ''], ['fleet people get anna.lind -o json', 'every default field']),
    )
    .action((person: string) => get(open(), person));

  const create = noun.command('create').description('add a person (createPerson)');
  addPersonFlags(create);
  addChangeFlags(create, { input: true, asks: false });
  create
    .addHelpText(
      'after',
      examples(
        ['fleet people create --first-name Anna --last-name Tamm --is-driver', ''],
        ['fleet people create --input people.ndjson --failed failed.ndjson', 'many: one JSON object per line'],
      ),
    )
    .action((flags: PersonFlags) =>
      change(open(), flags, {
        operation: 'createPerson',
        input: { variable: 'personInput', type: 'CreatePersonInput' },
        references: [],
        flags: fieldsOf(flags),
        shown: { view: personView },
      }),
    );

  const update = noun
    .command('update')
    .description('change a person (updatePerson); what is not said stays as it is')
    .argument('[person]', 'id, or the whole name, e-mail or employee id; left out when --input says it');
  addPersonFlags(update);
  addChangeFlags(update, { input: true, asks: false });
  update
    .addHelpText(
      'after',
      examples(
        ['fleet people update "Anna Lind" --phone +3725551234', ''],
        ['fleet people update --input people.ndjson', 'many: {"id": "Anna Lind", "phone": …} per line'],
      ),
    )
    .action((person: string | undefined, flags: PersonFlags) =>
      change(open(), flags, {
        operation: 'updatePerson',
        input: { variable: 'personInput', type: 'UpdatePersonInput' },
        references: [personReference(person)],
        flags: fieldsOf(flags),
        shown: { view: personView },
      }),
    );

  const remove = noun
    .command('delete')
    .description('delete a person (deletePerson)')
    .argument('[person]', 'id, or the whole name, e-mail or employee id; left out when --input says it');
  addChangeFlags(remove, { input: false, asks: true });
  remove
    .addHelpText(
      'after',
      examples(
        ['fleet people delete "Anna Lind"', 'asks first'],
        ['fleet people delete --input ids.ndjson --yes', 'many: an id or a name in quotes per line'],
      ),
    )
    .action((person: string | undefined, flags: ChangeFlags) =>
      change(open(), flags, {
        operation: 'deletePerson',
        input: null,
        references: [personReference(person)],
        flags: {},
        asks: asksAbout(personKind),
        shown: { deleted: 'person' },
      }),
    );

  defineFields(noun, open);
  defineSetRoles(noun, open);
};

function personReference(said: string | undefined): Reference {
  return { name: 'personId', into: 'variables', resolve: idsOf(personKind), said, needed: '<person>' };
}

function addPersonFlags(command: Command): void {
  command
    .option('--first-name <text>', 'given name')
    .option('--last-name <text>', 'family name')
    .option('--email <address>', 'where they get mail')
    .option('--phone <number>', 'with its country code')
    .option('--employee-id <text>', 'the number the employer has for them')
    .option('--license-number <text>', 'of the driving license')
    .option('--license-issued-in <text>', 'where the license is from')
    .option('--is-driver', 'may be assigned to vehicles')
    .option('--no-is-driver', 'may not be assigned')
    .option('--is-user', 'may use the service')
    .option('--no-is-user', 'may not use it');
}

function fieldsOf(flags: PersonFlags): Readonly<Record<string, unknown>> {
  const { firstName, lastName, email, phone, employeeId, licenseNumber, licenseIssuedIn, isDriver, isUser } = flags;
  return { firstName, lastName, email, phone, employeeId, licenseNumber, licenseIssuedIn, isDriver, isUser };
}

async function list(context: Context, { drivers, users }: ListFlags): Promise<void> {
  const shape = listShape(context, personView, operations.getPeople);
  const { select } = shape.options;
  const client = await connect(context);
  const people = await tolerate(context, (options) =>
    call(
      client,
      'getPeople',
      {},
      { ...options, select: select && joinTrees(select, { isDriver: true, isUser: true }) },
    ),
  );
  const wanted = people.filter(({ isDriver, isUser }) => (!drivers || isDriver) && (!users || isUser));
  const what = drivers ? 'driver' : users ? 'user' : 'person';
  await printRows(context, shape.rows(wanted), shape.view, `No ${what} is visible to this user.`);
}

async function get(context: Context, person: string): Promise<void> {
  const shape = recordShape(context, personView, operations.getPersonById);
  const client = await connect(context);
  const found = await findRecord(context, client, personKind, person, { substring: true, ...shape.options });
  await printRecord(context, shape.record(found), shape.view);
}
