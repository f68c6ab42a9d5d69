// What the contract says of the members of an input: read from the generated text, and completed to a skeleton.
import { guessedInputs, inputMap } from '../../generated/input-map.js';

export interface Member {
  readonly name: string;
  /** In the contract's notation, such as `[UUID!]`. */
  readonly type: string;
  readonly required: boolean;
}

export function membersOf(input: string): readonly Member[] {
  const text = Object.hasOwn(inputMap, input) ? inputMap[input] : undefined;
  return (text?.split(' ') ?? []).map((member) => {
    const colon = member.indexOf(':');
    const type = member.slice(colon + 1);
    return { name: member.slice(0, colon), type, required: type.endsWith('!') };
  });
}

/** Whether a live service may take other members than the ones known here. */
export function isGuessed(input: string): boolean {
  return guessedInputs.includes(input);
}

/** An input with every member in it and nothing said: null, or an empty list. */
export function skeletonOf(input: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    membersOf(input).map(({ name, type }) => {
      if (type.startsWith('[')) return [name, []];
      const below = membersOf(type.replace('!', ''));
      return [name, below.length > 0 ? skeletonOf(type.replace('!', '')) : null];
    }),
  );
}
