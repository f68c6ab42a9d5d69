// All kinds of records, for lookup by a word: completion, undo, reports and assistants.
import { tokenKind } from './driver-token.js';
import { geofenceKind } from './geofence.js';
import { groupKind } from './group.js';
import { driverKind, personKind } from './person.js';
import type { EditableKind, RecordKind } from './record-kind.js';
import { labelKind, roleKind, ruleKind, scheduleKind, vehicleTypeKind } from './reference-data.js';
import { vehicleKind } from './vehicle.js';

const editableKinds: readonly EditableKind<never>[] = [vehicleKind, personKind, geofenceKind, groupKind, tokenKind];

export const allKinds: readonly RecordKind<never>[] = [
  ...editableKinds,
  ...[driverKind, labelKind, vehicleTypeKind, roleKind, ruleKind, scheduleKind],
];

/** Returns the editable kind with this noun, such as `vehicle`; null for another one. */
export function editableKind(noun: string): EditableKind<never> | null {
  return editableKinds.find((kind) => kind.noun === noun) ?? null;
}

/** Returns the kind with this placeholder in arguments or flags, such as `<vehicle>`, if any. */
export function kindOfPlaceholder(placeholder: string): RecordKind<never> | null {
  const word = placeholder === 'place' ? geofenceKind.placeholder : placeholder;
  return allKinds.find((kind) => kind.placeholder === word) ?? null;
}
