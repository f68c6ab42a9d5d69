// Finds the differences of two schemas by walking both from their root types. Types are paired by where they are used, not by name,
// because a service may give the same type another name.
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
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';

export interface Difference {
  readonly kind: 'removed' | 'changed' | 'added';
  /** In the contract's names: `Vehicle.vin`, `getVehicles(filter)`, `getVehicles`. */
  readonly where: string;
  /** The contract's type it is in; null for a root field or its argument. */
  readonly owner: string | null;
  readonly what: string;
  /** Whether a member has come that has to be given. */
  readonly isDemand: boolean;
}

export interface Walk {
  /** What differs where the contract says what there is. */
  readonly differences: readonly Difference[];
  /** What differs only below fields whose members are assumed. */
  readonly assumed: readonly Difference[];
  /** Everything of the contract that was compared with the live schema. */
  readonly seen: ReadonlySet<string>;
  /** The part of it that was compared where the contract says what there is. */
  readonly shown: ReadonlySet<string>;
  /** For each scalar of the contract, what the service has in its place, and how often. */
  readonly scalars: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** For each field that holds records, where they differ. */
  readonly below: ReadonlyMap<string, readonly Difference[]>;
}

/** `assumedBelow`: the fields of the contract whose members are assumed, such as `LatestData.address`. */
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

/** What a type is used for: values fit more loosely than the names of types in documents. */
type Use = 'value' | 'argument';

class Walker {
  readonly #assumedBelow: (where: string) => boolean;
  /** Types below assumed fields, compared last: the same types elsewhere are what the contract shows. */
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
    const fields = theirs?.getFields() ?? {};
    for (const field of Object.values(ours?.getFields() ?? {})) {
      this.#seen.add(field.name);
      const found = fields[field.name];
      if (!found) {
        this.#note([], {
          kind: 'removed',
          where: field.name,
          owner: null,
          what: 'the operation is gone',
          isDemand: false,
        });
        continue;
      }
      this.#types([], field.name, null, field.type, found.type, 'value');
      this.#arguments(field, found);
    }
    for (const field of Object.values(fields)) {
      if (ours?.getFields()[field.name]) continue;
      const what = `a new operation that returns ${field.type}`;
      this.#note([], { kind: 'added', where: field.name, owner: null, what, isDemand: false });
    }
  }

  #arguments(ours: GraphQLField<unknown, unknown>, theirs: GraphQLField<unknown, unknown>): void {
    this.#members([], ours.args, theirs.args, (name) => `${ours.name}(${name})`, null, 'argument');
  }

  #record(ours: GraphQLObjectType, theirs: GraphQLObjectType): readonly Difference[] {
    const key = `${ours.name} ${theirs.name}`;
    const before = this.#pairs.get(key);
    if (before) return before;
    const found: Difference[] = [];
    this.#pairs.set(key, found);
    const fields = theirs.getFields();
    for (const field of Object.values(ours.getFields())) {
      const where = `${ours.name}.${field.name}`;
      this.#seen.add(where);
      const other = fields[field.name];
      if (other) this.#types(found, where, ours.name, field.type, other.type, 'value');
      else this.#note(found, { kind: 'removed', where, owner: ours.name, what: 'the field is gone', isDemand: false });
    }
    for (const field of Object.values(fields)) {
      if (ours.getFields()[field.name]) continue;
      const where = `${ours.name}.${field.name}`;
      const what = `a new field of type ${field.type}`;
      this.#note(found, { kind: 'added', where, owner: ours.name, what, isDemand: false });
    }
    return found;
  }

  #input(ours: GraphQLInputObjectType, theirs: GraphQLInputObjectType): readonly Difference[] {
    const key = `${ours.name} ${theirs.name}`;
    const before = this.#pairs.get(key);
    if (before) return before;
    const found: Difference[] = [];
    this.#pairs.set(key, found);
    const [mine, other] = [Object.values(ours.getFields()), Object.values(theirs.getFields())];
    this.#members(found, mine, other, (name) => `${ours.name}.${name}`, ours.name, 'member');
    return found;
  }

  /** Arguments, or members of an input. What the service demands more strictly is a change; what it demands less so is none. */
  #members(
    found: Difference[],
    ours: readonly (GraphQLArgument | GraphQLInputField)[],
    theirs: readonly (GraphQLArgument | GraphQLInputField)[],
    whereOf: (name: string) => string,
    owner: string | null,
    noun: 'argument' | 'member',
  ): void {
    for (const member of ours) {
      const where = whereOf(member.name);
      this.#seen.add(where);
      const other = theirs.find(({ name }) => name === member.name);
      if (!other) {
        this.#note(found, { kind: 'removed', where, owner, what: `the ${noun} is gone`, isDemand: false });
        continue;
      }
      this.#types(found, where, owner, member.type, other.type, noun === 'argument' ? 'argument' : 'value');
      if (isDemanded(other) && !isNonNullType(member.type)) {
        this.#note(found, { kind: 'changed', where, owner, what: 'has to be given now', isDemand: true });
      }
    }
    for (const other of theirs) {
      if (ours.some(({ name }) => name === other.name)) continue;
      const isDemand = isDemanded(other);
      const what = `a new ${noun} of type ${other.type}${isDemand ? ', which has to be given' : ''}`;
      this.#note(found, { kind: 'added', where: whereOf(other.name), owner, what, isDemand });
    }
  }

  #types(
    found: Difference[],
    where: string,
    owner: string | null,
    ours: GraphQLType,
    theirs: GraphQLType,
    use: Use,
  ): void {
    const [mine, other] = [getNamedType(ours), getNamedType(theirs)];
    const change = (what: string) => this.#note(found, { kind: 'changed', where, owner, what, isDemand: false });
    if (depthOf(ours) !== depthOf(theirs)) change(`is ${theirs}, and not ${ours}`);
    if (isObjectType(mine) && isObjectType(other)) {
      const compare = () => this.#below.set(where, this.#record(mine, other));
      if (!this.#isBelowAssumed && this.#assumedBelow(where)) this.#deferred.push(compare);
      else compare();
    } else if (isInputObjectType(mine) && isInputObjectType(other)) this.#below.set(where, this.#input(mine, other));
    else if (isRecord(mine) || isRecord(other)) change(otherThan(mine, other));
    else {
      this.#countScalar(mine.name, other.name);
      if (mine.name === other.name || (use === 'value' && fits(mine, other))) return;
      change(otherThan(mine, other));
    }
  }

  #countScalar(mine: string, other: string): void {
    const counts = this.#scalars.get(mine) ?? new Map<string, number>();
    this.#scalars.set(mine, counts.set(other, (counts.get(other) ?? 0) + 1));
  }

  #note(found: Difference[], difference: Difference): void {
    found.push(difference);
    const key = `${difference.where} ${difference.what}`;
    if (!this.#isBelowAssumed) this.#differences.set(key, difference);
    else if (!this.#differences.has(key)) this.#assumed.set(key, difference);
  }
}

function isRecord(type: GraphQLNamedType): boolean {
  return isObjectType(type) || isInputObjectType(type);
}

/** Whether the values of one scalar are those of the other: integers by another name, JSON by another name. */
function fits(ours: GraphQLNamedType, theirs: GraphQLNamedType): boolean {
  if (INTEGER.test(ours.name)) return INTEGER.test(theirs.name);
  return ours.name === 'JSON' && isScalarType(theirs) && !isSpecifiedScalarType(theirs);
}
const INTEGER =
  /^(Int|Long|Short|Byte|BigInt|BigInteger|Integer|U?Int(8|16|32|64)|(Un)?signedInt|(Non)?(Negative|Positive)Int)$/i;

function isDemanded({ type, defaultValue }: GraphQLArgument | GraphQLInputField): boolean {
  return isNonNullType(type) && defaultValue === undefined;
}

/** How many lists deep. */
/** Names both types, by their kinds where the names are equal. */
function otherThan(mine: GraphQLNamedType, other: GraphQLNamedType): string {
  if (mine.name !== other.name) return `is ${other.name}, and not ${mine.name}`;
  return `is ${kindOf(other)} ${other.name}, and not ${kindOf(mine)}`;
}

function kindOf(type: GraphQLNamedType): string {
  if (isScalarType(type)) return 'the scalar';
  if (isEnumType(type)) return 'the enum';
  return isInputObjectType(type) ? 'the input type' : 'the object type';
}

function depthOf(type: GraphQLType): number {
  const nullable = getNullableType(type);
  return isListType(nullable) ? 1 + depthOf(nullable.ofType) : 0;
}
