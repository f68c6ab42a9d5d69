// Groups of vehicles and geofences.
import { type GroupRow, groupView } from '../views/group.js';
import type { EditableKind, RecordKind } from './record-kind.js';

export const groupKind = {
  noun: 'group',
  plural: 'groups',
  placeholder: 'group',
  listCommand: 'fleet groups list',
  list: 'getGroups',
  byId: null,
  texts: [
    { noun: 'name', form: 'name', members: ['name'] },
    { noun: 'external id', form: 'code', members: ['externalId'], isWhole: true, isFixed: true },
  ],
  identity: { id: true, name: true, externalId: true },
  view: groupView,
  type: 'Group',
  idVariable: 'groupId',
  create: { operation: 'createGroup', variable: 'createGroupInput', type: 'CreateGroupInput' },
  update: { operation: 'updateGroup', variable: 'updateGroupInput', type: 'UpdateGroupInput' },
  remove: 'deleteGroup',
  relations: { parentId: { holder: null, kind: (): RecordKind<never> => groupKind } },
  // A group with isOwn false belongs to another owner.
  isProtected: (row) => Reflect.get(row, 'isOwn') === false,
} satisfies EditableKind<GroupRow>;
