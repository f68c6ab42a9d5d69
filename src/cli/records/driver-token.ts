// Tokens that identify drivers in a vehicle. The service lists them only with their drivers.
import type { DriverToken, Person } from '../../index.js';
import { driverTokenView } from '../views/driver-token.js';
import { fullName } from '../views/humanize.js';
import { driverKind } from './person.js';
import type { EditableKind } from './record-kind.js';

export interface TokenOfDriver extends DriverToken {
  readonly holder: string;
}

export const tokenKind = {
  noun: 'driver token',
  plural: 'driver tokens',
  placeholder: 'token',
  listCommand: 'fleet people list --fields firstName,lastName,driverTokens.id,driverTokens.value',
  list: 'getPeople',
  // Takes the tokens from the list of people; `identity` selects their names and tokens.
  within: (people) =>
    (people as readonly Person[]).flatMap((person) =>
      (person.driverTokens ?? []).flatMap((token) =>
        token ? [{ ...token, driverId: person.id ?? null, holder: fullName(person) }] : [],
      ),
    ),
  byId: null,
  texts: [{ noun: 'value', form: 'code', members: ['value'] }],
  identity: { id: true, firstName: true, lastName: true, driverTokens: { id: true, value: true, isDeleted: true } },
  choiceMembers: ['holder'],
  view: driverTokenView,
  type: 'DriverToken',
  idVariable: 'tokenId',
  create: { operation: 'createDriverToken', variable: 'createDriverTokenInput', type: 'CreateDriverTokenInput' },
  update: { operation: 'updateDriverToken', variable: 'updateDriverTokenInput', type: 'UpdateDriverTokenInput' },
  remove: 'deleteDriverToken',
  lacks: ({ driverId }) => (typeof driverId === 'string' ? null : 'a new driver token needs a driver'),
  relations: { driverId: { holder: null, kind: () => driverKind } },
} satisfies EditableKind<TokenOfDriver>;
