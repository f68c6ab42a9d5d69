// View of people, who are drivers, users or both.
import type { FleetClient } from '../../index.js';
import type { View } from '../output/view.js';
import { fullName } from './humanize.js';

type PersonRow = Awaited<ReturnType<FleetClient['getPeople']>>[number];

export const personView: View<PersonRow> = {
  columns: [
    { title: 'NAME', text: (person) => fullName(person), min: 10, rank: 0 },
    { title: 'KIND', text: kind, shows: ['isDriver', 'isUser'], rank: 2 },
    { title: 'EMAIL', text: ({ email }) => email ?? '', min: 20, rank: 1 },
    { title: 'PHONE', text: ({ phone }) => phone ?? '', rank: 3 },
    { title: 'TOKENS', text: tokens, shows: ['driverTokens'], min: 10, rank: 4 },
    { title: 'EMPLOYEE', text: ({ employeeId }) => employeeId ?? '', shows: ['employeeId'], rank: 5 },
    { title: 'ROLES', text: roles, shows: ['roles'], min: 10, rank: 6 },
    { title: 'ID', text: ({ id }) => id ?? '', namedBy: fullName, rank: 0 },
  ],
  details: [
    { title: 'Name', text: (person) => fullName(person) },
    { title: 'Kind', text: kind },
    { title: 'Email', text: ({ email }) => email ?? '' },
    { title: 'Phone', text: ({ phone }) => phone ?? '' },
    { title: 'Employee id', text: ({ employeeId }) => employeeId ?? '' },
    { title: 'License', text: license },
    { title: 'Tokens', text: tokens },
    { title: 'Roles', text: roles },
    {
      title: 'Custom fields',
      text: ({ customFields }) =>
        (customFields ?? []).flatMap((field) => (field?.value ? `${field.name}: ${field.value}` : [])).join(', '),
    },
    { title: 'Id', text: ({ id }) => id ?? '' },
    { title: 'Global id', text: ({ id, globalUserId }) => (globalUserId === id ? '' : (globalUserId ?? '')) },
    { title: 'Fleet id', text: ({ fleetId }) => fleetId ?? '' },
  ],
  fields: [
    'id',
    'firstName',
    'lastName',
    'email',
    'phone',
    'isDriver',
    'isUser',
    'employeeId',
    'licenseNumber',
    'licenseIssuedIn',
    'driverTokens.value',
    'roles.name',
  ],
};

function kind({ isDriver, isUser }: PersonRow): string {
  return [isDriver ? 'driver' : '', isUser ? 'user' : ''].filter((word) => word !== '').join(', ');
}

function tokens({ driverTokens }: PersonRow): string {
  return (driverTokens ?? []).flatMap((token) => token?.value ?? []).join(', ');
}

function roles(person: PersonRow): string {
  return (person.roles ?? []).flatMap((role) => role?.name ?? []).join(', ');
}

function license({ licenseNumber, licenseIssuedIn }: PersonRow): string {
  return [licenseNumber, licenseIssuedIn].filter((part) => part).join(', ');
}
