// The parts of the contract that are marked as assumed, and their comparison with the live schema.
import { type GraphQLSchema, isInputObjectType, isIntrospectionType, isObjectType, isScalarType } from 'graphql';
import type { Difference, Walk } from './differences.js';
import type { AssumptionFinding } from './findings.js';

export interface Assumption {
  /** `Vehicle.version`, `scalar Timestamp`, `type LatestValue` or `input VehicleInput`. */
  readonly where: string;
  readonly part: AssumptionFinding['part'];
  readonly reason: string;
}

interface AnnotatedDefinition {
  readonly astNode?:
    | {
        readonly directives?: readonly {
          readonly name: { readonly value: string };
          readonly arguments?: readonly {
            readonly name: { readonly value: string };
            readonly value: { readonly kind: string; readonly value?: unknown };
          }[];
        }[];
      }
    | null
    | undefined;
}

/** Returns the types and fields that have the directive `@assumed` in the contract. */
export function assumptionsOf(contract: GraphQLSchema): readonly Assumption[] {
  const found: Assumption[] = [];
  for (const type of Object.values(contract.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    if (isScalarType(type)) note(found, `scalar ${type.name}`, type);
    if (!isObjectType(type) && !isInputObjectType(type)) continue;
    note(found, `${isInputObjectType(type) ? 'input' : 'type'} ${type.name}`, type);
    for (const field of Object.values(type.getFields())) note(found, `${type.name}.${field.name}`, field);
  }
  return found;
}

function note(found: Assumption[], where: string, definition: AnnotatedDefinition): void {
  const mark = definition.astNode?.directives?.find(({ name }) => name.value === 'assumed');
  if (!mark) return;
  const argumentOf = (name: string) => mark.arguments?.find((argument) => argument.name.value === name)?.value.value;
  const part = argumentOf('part');
  if (part !== 'LEAF_TYPE' && part !== 'STRUCTURE' && part !== 'INPUT') return;
  found.push({ where, part, reason: String(argumentOf('reason') ?? '') });
}

export function checkAssumptions(assumptions: readonly Assumption[], walk: Walk): readonly AssumptionFinding[] {
  return assumptions.map(({ where, part }) => {
    const detail = detailOf(where, walk);
    if (detail === undefined) {
      return { where, part, status: 'unknown', detail: 'the service has no matching part to compare' };
    }
    return { where, part, status: detail === null ? 'confirmed' : 'refuted', detail };
  });
}

/** Describes the difference in the live schema; null without one, undefined if unknown. */
function detailOf(where: string, walk: Walk): string | null | undefined {
  const [kind = '', name] = where.split(' ');
  // A place that the contract shows anywhere is judged by that place only.
  const differencesOf = (isShown: boolean) => (isShown ? walk.differences : [...walk.differences, ...walk.assumed]);
  if (kind === 'scalar') return scalarDetail(name ?? '', walk);
  if (name !== undefined) {
    const isIn = (places: ReadonlySet<string>) => [...places].some((place) => place.startsWith(`${name}.`));
    if (!isIn(walk.seen)) return undefined;
    return contradictionText(differencesOf(isIn(walk.shown)).filter(({ owner }) => owner === name));
  }
  if (!walk.seen.has(where)) return undefined;
  const own = differencesOf(walk.shown.has(where)).filter((one) => one.where === where);
  return contradictionText([...own, ...(walk.below.get(where) ?? [])]);
}

function scalarDetail(name: string, { scalars }: Walk): string | null | undefined {
  const uses = scalars.get(name);
  if (!uses) return undefined;
  const others = [...uses].filter(([other]) => other !== name);
  if (others.length === 0) return null;
  return `is ${others.map(([other, count]) => `${other} (${count} ${count === 1 ? 'place' : 'places'})`).join(', ')}`;
}

function contradictionText(differences: readonly Difference[]): string | null {
  const against = differences.filter(({ kind, isRequired }) => kind !== 'added' || isRequired);
  return against.length === 0 ? null : against.map(({ where, what }) => `${where}: ${what}`).join('; ');
}

/** Returns true for a difference that concerns an assumption: it is reported there. */
export function isAssumed(
  difference: Difference,
  assumptions: ReadonlySet<string>,
  scalarAt: (where: string) => string | null,
): boolean {
  const { where, owner, kind } = difference;
  // A new required member breaks calls, whatever was assumed about the others.
  if (kind === 'added' && difference.isRequired) return false;
  if (assumptions.has(where)) return kind === 'changed';
  if (owner !== null && (assumptions.has(`type ${owner}`) || assumptions.has(`input ${owner}`))) return true;
  const scalar = scalarAt(where);
  return kind === 'changed' && scalar !== null && assumptions.has(`scalar ${scalar}`);
}
