// `fleet people apply`: makes the people those of a file.

import type { Person } from '../../../index.js';
import { type Target, textOf } from '../../apply/plan-records.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { fullName } from '../../views/humanize.js';
import { personView } from '../../views/person.js';
import { defineApply } from '../shared/apply-records.js';
import { tellOfNoPart } from './reference.js';

const nameOf = ({ firstName, lastName }: Readonly<Record<string, unknown>>) =>
  fullName({ firstName: textOf(firstName), lastName: textOf(lastName) });

export const personTarget: Target<Person> = {
  noun: 'person',
  plural: 'people',
  listCommand: 'fleet people list',
  id: ({ id }) => id,
  keys: [
    { noun: 'employee id', isFixed: true, of: ({ employeeId }) => textOf(employeeId) },
    { noun: 'e-mail', of: ({ email }) => textOf(email) },
    { noun: 'name', of: (person) => textOf(nameOf(person)) },
  ],
  nameOf,
  create: (personInput) => ({ operation: 'createPerson', variables: { personInput }, idempotent: false }),
  change: (personId, personInput) => ({
    operation: 'updatePerson',
    variables: { personId, personInput },
    idempotent: true,
  }),
  remove: (personId) => ({ operation: 'deletePerson', variables: { personId }, idempotent: false }),
};

export const defineApplyPeople: DefineCommand = (noun, open) =>
  defineApply(
    noun,
    open,
    {
      target: personTarget,
      list: 'getPeople',
      tellOfNew: tellOfNoPart,
      input: { type: 'CreatePersonInput', printed: { type: 'Person', views: [personView] } },
    },
    `${examples(
      ['fleet people apply drivers.csv', 'the plan, a question, then the changes'],
      ['fleet people apply drivers.csv --dry-run', 'the plan only; exit code 10 when something differs'],
      ['fleet people apply drivers.csv --yes -o json', 'in a script'],
    )}\n\nA person is found by id, else by employee id, e-mail or whole name. An employee id that nobody has is that of a new person.\n--prune deletes everybody who is not in the file, users of the service too.`,
  );
