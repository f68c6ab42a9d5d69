// Finds the differences of two schemas by walking both from their root types. Types are paired by
// their use, not by name, because a service may rename a type. graphql's findBreakingChanges pairs
// by name: it reports a renamed type as removed and does not compare its members. It also ignores
// new fields, and its findings are sentences without a machine-readable place.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';

export interface Difference {
  readonly kind: 'removed' | 'changed' | 'added';
  /** In the contract's names: `Vehicle.vin`, `getVehicles(filter)`, `getVehicles`. */
  readonly where: string;
  /** Contract type of the member; null for a root field or its argument. */
  readonly owner: string | null;
  readonly what: string;
  /** True for a new required member. */
  readonly isRequired: boolean;
}

export interface Walk {
  /** Differences where the contract defines the members. */
  readonly differences: readonly Difference[];
  /** Differences only below fields whose members are assumed. */
  readonly assumed: readonly Difference[];
  readonly seen: ReadonlySet<string>;
  /** The compared parts whose members the contract defines. */
  readonly shown: ReadonlySet<string>;
  /** Per scalar of the contract: the service's types in its place, with counts. */
  readonly scalars: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Differences of the records of each field. */
  readonly below: ReadonlyMap<string, readonly Difference[]>;
}

/** `assumedBelow`: fields of the contract with assumed members, such as `LatestData.address`. */
export function differencesOf(
  contract: GraphQLSchema,
  live: GraphQLSchema,
  assumedBelow: (where: string) => boolean,
): Walk {
  const walker = new Walker(assumedBelow);
  walker.roots(contract.getQueryType(), live.getQueryType());
  walker.roots(contract.getMutationType(), live.getMutationType());
  return walker.walk();
}

type Part = GraphQLField<unknown, unknown> | GraphQLArgument | GraphQLInputField;

/** The use of a type: values may differ more than the type names in documents. */
type Use = 'value' | 'argument';

class Walker {
  readonly #assumedBelow: (where: string) => boolean;
  /** Types below assumed fields, compared last: the contract may define them elsewhere. */
  readonly #deferred: (() => void)[] = [];
  readonly #assumed = new Map<string, Difference>();
  #isBelowAssumed = false;
  readonly #differences = new Map<string, Difference>();
  readonly #seen = new Set<string>();
  readonly #scalars = new Map<string, Map<string, number>>();
  readonly #pairs = new Map<string, Difference[]>();
  readonly #below = new Map<string, readonly Difference[]>();

  constructor(assumedBelow: (where: string) => boolean) {
    this.#assumedBelow = assumedBelow;
  }

  /** Compares the deferred types and returns the result. Call it after `roots`. */
  walk(): Walk {
    const shown = new Set(this.#seen);
    this.#isBelowAssumed = true;
    for (let next = this.#deferred.shift(); next !== undefined; next = this.#deferred.shift()) next();
    return {
      differences: [...this.#differences.values()],
      assumed: [...this.#assumed.values()],
      seen: this.#seen,
      shown,
      scalars: this.#scalars,
      below: this.#below,
    };
  }

  roots(ours: GraphQLObjectType | null | undefined, theirs: GraphQLObjectType | null | undefined): void {
    const [mine, other] = [Object.values(ours?.getFields() ?? {}), Object.values(theirs?.getFields() ?? {})];
    this.#parts([], mine, other, 'operation', null, (name) => name);
  }

  #members<Type extends GraphQLObjectType | GraphQLInputObjectType>(ours: Type, theirs: Type): readonly Difference[] {
    const key = `${ours.name} ${theirs.name}`;
    const cached = this.#pairs.get(key);
    if (cached) return cached;
    const found: Difference[] = [];
    // Set before the comparison, because a type may contain itself.
    this.#pairs.set(key, found);
    const [mine, other] = [Object.values(ours.getFields()), Object.values(theirs.getFields())];
    const noun = isInputObjectType(ours) ? 'member' : 'field';
    this.#parts(found, mine, other, noun, ours.name, (name) => `${ours.name}.${name}`);
    return found;
  }

  /** Compares parts by name. Fewer required members of an input are no difference. */
  #parts(
    found: Difference[],
    ours: readonly Part[],
    theirs: readonly Part[],
    noun: 'operation' | 'field' | 'argument' | 'member',
    owner: string | null,
    whereOf: (name: string) => string,
  ): void {
    const note = (kind: Difference['kind'], where: string, what: string, isRequired = false) =>
      this.#record(found, { kind, where, owner, what, isRequired });
    for (const part of ours) {
      const where = whereOf(part.name);
      this.#seen.add(where);
      const other = theirs.find(({ name }) => name === part.name);
      if (!other) {
        note('removed', where, `the ${noun} is gone`);
        continue;
      }
      this.#types(found, where, owner, part.type, other.type, noun === 'argument' ? 'argument' : 'value');
      if ('args' in part && 'args' in other)
        this.#parts(found, part.args, other.args, 'argument', owner, (name) => `${where}(${name})`);
      else if (isRequiredPart(other) && !isNonNullType(part.type)) note('changed', where, 'is required now', true);
    }
    for (const other of theirs) {
      if (ours.some(({ name }) => name === other.name)) continue;
      const isRequired = isRequiredPart(other);
      const verb = noun === 'operation' ? 'that returns' : 'of type';
      const what = `a new ${noun} ${verb} ${other.type}${isRequired ? ', which is required' : ''}`;
      note('added', whereOf(other.name), what, isRequired);
    }
  }

  /** Compares the types of two parts. The members of assumed types are compared last. */
  #types(
    found: Difference[],
    where: string,
    owner: string | null,
    ours: GraphQLType,
    theirs: GraphQLType,
    use: Use,
  ): void {
    const [mine, other] = [getNamedType(ours), getNamedType(theirs)];
    const change = (what: string) => this.#record(found, { kind: 'changed', where, owner, what, isRequired: false });
    if (listDepthOf(ours) !== listDepthOf(theirs)) change(`is ${theirs}, and not ${ours}`);
    if (isObjectType(mine) && isObjectType(other)) {
      const compare = () => this.#below.set(where, this.#members(mine, other));
      if (!this.#isBelowAssumed && this.#assumedBelow(where)) this.#deferred.push(compare);
      else compare();
    } else if (isInputObjectType(mine) && isInputObjectType(other)) this.#below.set(where, this.#members(mine, other));
    else if (isRecord(mine) || isRecord(other)) change(otherThan(mine, other));
    else {
      this.#countScalar(mine.name, other.name);
      if (isEnumType(mine) && isEnumType(other)) {
        const gone = mine.getValues().filter(({ name }) => !other.getValue(name));
        if (gone.length > 0) change(`no longer has the value ${gone.map(({ name }) => name).join(', ')}`);
      }
      if (mine.name === other.name || (use === 'value' && fits(mine, other))) return;
      change(otherThan(mine, other));
    }
  }

  #countScalar(mine: string, other: string): void {
    const counts = this.#scalars.get(mine) ?? new Map<string, number>();
    this.#scalars.set(mine, counts.set(other, (counts.get(other) ?? 0) + 1));
  }

  /** Records a difference. One that occurs only below assumed fields counts as assumed. */
  #record(found: Difference[], difference: Difference): void {
    found.push(difference);
    const key = `${difference.where} ${difference.what}`;
    if (!this.#isBelowAssumed) this.#differences.set(key, difference);
    else if (!this.#differences.has(key)) this.#assumed.set(key, difference);
  }
}

function isRecord(type: GraphQLNamedType): boolean {
  return isObjectType(type) || isInputObjectType(type);
}

/** True for integers, JSON and enums with another name. */
function fits(ours: GraphQLNamedType, theirs: GraphQLNamedType): boolean {
  if (isEnumType(ours)) return isEnumType(theirs);
  if (INTEGER.test(ours.name)) return INTEGER.test(theirs.name);
  return ours.name === 'JSON' && isScalarType(theirs) && !isSpecifiedScalarType(theirs);
}
const INTEGER =
  /^(Int|Long|Short|Byte|BigInt|BigInteger|Integer|U?Int(8|16|32|64)|(Un)?signedInt|(Non)?(Negative|Positive)Int)$/i;

function isRequiredPart(part: Part): boolean {
  return !('args' in part) && isRequiredArgument(part);
}

function otherThan(mine: GraphQLNamedType, other: GraphQLNamedType): string {
  if (mine.name !== other.name) return `is ${other.name}, and not ${mine.name}`;
  return `is ${kindOf(other)} ${other.name}, and not ${kindOf(mine)}`;
}

function kindOf(type: GraphQLNamedType): string {
  if (isScalarType(type)) return 'the scalar';
  if (isEnumType(type)) return 'the enum';
  return isInputObjectType(type) ? 'the input type' : 'the object type';
}

function listDepthOf(type: GraphQLType): number {
  const nullable = getNullableType(type);
  return isListType(nullable) ? 1 + listDepthOf(nullable.ofType) : 0;
}
