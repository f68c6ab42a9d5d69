// The members of an input type, from the generated contract, and the skeleton made of them.
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

/** Whether the contract only guesses the members, so that a live service may have others. */
export function isGuessed(input: string): boolean {
  return guessedInputs.includes(input);
}

/** An empty --input: the record to change, and every member of its input. */
export function skeletonOf({
  references,
  input,
}: {
  readonly references: readonly { readonly into: string; readonly name: string; readonly list?: boolean | undefined }[];
  readonly input: { readonly type: string } | null;
}): Record<string, unknown> {
  const variables = references.filter(({ into }) => into === 'variables');
  return {
    ...Object.fromEntries(variables.map(({ name, list }) => [name, list ? [] : null])),
    ...(input ? blankOf(input.type) : {}),
  };
}

/** Null, or an empty list. */
function blankOf(input: string): Record<string, unknown> {
  return Object.fromEntries(
    membersOf(input).map(({ name, type }) => {
      if (type.startsWith('[')) return [name, []];
      const below = type.replace('!', '');
      return [name, membersOf(below).length > 0 ? blankOf(below) : null];
    }),
  );
}
