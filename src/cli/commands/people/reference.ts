// How commands refer to a person whom they change.
import type { Reference, Subject } from '../../change/change-spec.js';
import { lookupOf } from '../../change/lookup.js';
import type { ReportingRun } from '../../context/context.js';
import { personKind } from '../../find/kinds.js';
import { fullName } from '../../views/humanize.js';

export function personReference(typed: string | undefined): Reference {
  return { name: 'personId', into: 'variables', lookup: lookupOf(personKind), typed, requiredAs: '<person>' };
}

/** What a change of people does, for its plan. */
export const personSubject: Subject = {
  kind: personKind.noun,
  action: 'update',
  type: 'Person',
  relations: { roleIds: 'roles' },
  nameOf: ({ firstName, lastName }) => fullName({ firstName: text(firstName), lastName: text(lastName) }),
};

/** What the service makes of people of whom a file says nothing; the contract takes them. Told once, however many there are. */
export function tellOfNoPart(run: ReportingRun, { isDriver, isUser }: Readonly<Record<string, unknown>>): void {
  if (typeof isDriver === 'boolean' || isUser === true) return;
  run.report.warn(
    'New people without isDriver or isUser are neither drivers nor users: they can be assigned to no vehicle. For drivers add a column isDriver with yes; `fleet people update` changes it later.',
  );
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
