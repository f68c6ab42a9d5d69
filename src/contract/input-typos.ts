// Finds likely typing errors in the member names of an input. TypeScript cannot: where the contract
// does not show the members of an input, the type accepts any name, because a live service may have
// others.

import { closestNames, printableName } from '../core/suggestions.js';
import { inputMap } from '../generated/input-map.js';

/** A member that is not in the contract, but whose name is close to one that is. */
export interface InputTypo {
  /** Such as `vehicleInput.licensPlate`. */
  readonly path: string;
  readonly similarNames: readonly string[];
}

/** Returns the likely typing errors in a variable of this GraphQL type; names only, no values. */
export function findInputTypos(path: string, type: string, value: unknown): readonly InputTypo[] {
  if (typeof value !== 'object' || value === null) return [];
  const members = membersOf(type);
  if (members.size === 0) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => findInputTypos(`${path}[${at}]`, type, item));
  return Object.entries(value).flatMap(([name, below]) => {
    const at = `${path}.${printableName(name)}`;
    const memberType = members.get(name);
    if (memberType !== undefined) return findInputTypos(at, memberType, below);
    // A name that is present itself was not misspelt.
    const similarNames = closestNames(name, members.keys()).filter((candidate) => !Object.hasOwn(value, candidate));
    return similarNames.length > 0 ? [{ path: at, similarNames }] : [];
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
