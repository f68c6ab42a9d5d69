// Reads the @assumed directive of a schema definition.
import type { ConstDirectiveNode } from 'graphql';

export type AssumedPart = 'LEAF_TYPE' | 'STRUCTURE' | 'INPUT';

interface Definition {
  readonly astNode?: { readonly directives?: readonly ConstDirectiveNode[] | undefined } | null | undefined;
}

/** Returns the assumed part of a definition; null when the contract shows all of it. */
export function assumedPart(definition: Definition): AssumedPart | null {
  const directive = definition.astNode?.directives?.find((node) => node.name.value === 'assumed');
  const part = directive?.arguments?.find((argument) => argument.name.value === 'part')?.value;
  if (part?.kind !== 'EnumValue') return null;
  if (part.value === 'LEAF_TYPE' || part.value === 'STRUCTURE' || part.value === 'INPUT') return part.value;
  throw new Error(`unknown part of @assumed: ${part.value}`);
}
