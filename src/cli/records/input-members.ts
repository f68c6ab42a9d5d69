// The members of an input type, from the generated contract.
import { guessedInputs, inputMap } from '../../generated/input-map.js';

export interface Member {
  readonly name: string;
  /** In the contract's notation, such as `[UUID!]`. */
  readonly type: string;
  readonly required: boolean;
}

export function membersOf(input: string): readonly Member[] {
  // A text of members, such as `name:String! groupIds:[UUID!]`.
  const text = Object.hasOwn(inputMap, input) ? inputMap[input] : undefined;
  return (text?.split(' ') ?? []).map((member) => {
    const colon = member.indexOf(':');
    const type = member.slice(colon + 1);
    return { name: member.slice(0, colon), type, required: type.endsWith('!') };
  });
}

/** Returns true when the contract only guesses the members: a live service may have others. */
export function isGuessed(input: string): boolean {
  return guessedInputs.includes(input);
}
