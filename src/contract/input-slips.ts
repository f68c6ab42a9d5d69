// Finds likely typing errors in the names of an input's members. TypeScript cannot: where the contract does not show the members of an
// input, the type accepts any name, because a live service may have others.

import { printableName } from '../core/printable-name.js';
import { closestNames } from '../core/suggestions.js';
import { inputMap } from '../generated/input-map.js';

/** A member that the contract does not have, but whose name is close to one that it has. */
export interface InputSlip {
  /** Where it is, such as `vehicleInput.licensPlate`. */
  readonly path: string;
  /** The names that are close. */
  readonly meant: readonly string[];
}

/** The likely typing errors in a variable of this type, which is in the contract's notation; names only, no values. */
export function inputSlips(path: string, type: string, value: unknown): readonly InputSlip[] {
  if (typeof value !== 'object' || value === null) return [];
  const members = membersOf(type);
  if (members.size === 0) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => inputSlips(`${path}[${at}]`, type, item));
  return Object.entries(value).flatMap(([name, below]) => {
    const at = `${path}.${printableName(name)}`;
    const memberType = members.get(name);
    if (memberType !== undefined) return inputSlips(at, memberType, below);
    // A name that is given itself was not misspelt as another one.
    const meant = closestNames(name, members.keys()).filter((known) => !Object.hasOwn(value, known));
    return meant.length > 0 ? [{ path: at, meant }] : [];
  });
}

function membersOf(type: string): ReadonlyMap<string, string> {
  const name = type.replace(/[[\]!]/g, '');
  const text = Object.hasOwn(inputMap, name) ? inputMap[name] : undefined;
  return new Map(
    (text?.split(' ') ?? []).map((member) => {
      const [key = '', memberType = ''] = member.split(':');
      return [key, memberType];
    }),
  );
}
