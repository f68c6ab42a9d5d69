// Where two schemas differ, found by walking both from their roots: types are paired by where they are used and not by their names,
// because a service may name a type otherwise and mean the same.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
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
  readonly differences: readonly Difference[];
  /** Everything of the contract that the live schema was held against. */
  readonly seen: ReadonlySet<string>;
  /** For each scalar of the contract, what the service has in its place, and how often. */
  readonly scalars: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** For each field that holds records, where they differ. */
  readonly below: ReadonlyMap<string, readonly Difference[]>;
}

export function differencesOf(contract: GraphQLSchema, live: GraphQLSchema): Walk {
  const walker = new Walker();
  walker.roots(contract.getQueryType(), live.getQueryType());
  walker.roots(contract.getMutationType(), live.getMutationType());
  return walker.walk();
}

class Walker {
  readonly #differences = new Map<string, Difference>();
  readonly #seen = new Set<string>();
  readonly #scalars = new Map<string, Map<string, number>>();
  readonly #pairs = new Map<string, Difference[]>();
  readonly #below = new Map<string, readonly Difference[]>();

  walk(): Walk {
    const differences = [...this.#differences.values()];
    return { differences, seen: this.#seen, scalars: this.#scalars, below: this.#below };
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
      this.#output([], field.name, null, field, found);
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
      if (other) this.#output(found, where, ours.name, field, other);
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
      this.#types(found, where, owner, member.type, other.type);
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

  #output(
    found: Difference[],
    where: string,
    owner: string | null,
    ours: { readonly type: GraphQLOutputType },
    theirs: { readonly type: GraphQLOutputType },
  ): void {
    this.#types(found, where, owner, ours.type, theirs.type);
  }

  #types(found: Difference[], where: string, owner: string | null, ours: GraphQLType, theirs: GraphQLType): void {
    const [mine, other] = [getNamedType(ours), getNamedType(theirs)];
    const change = (what: string) => this.#note(found, { kind: 'changed', where, owner, what, isDemand: false });
    if (depthOf(ours) !== depthOf(theirs)) change(`is ${theirs}, and not ${ours}`);
    if (isObjectType(mine) && isObjectType(other)) this.#below.set(where, this.#record(mine, other));
    else if (isInputObjectType(mine) && isInputObjectType(other)) this.#below.set(where, this.#input(mine, other));
    else if (isRecord(mine) || isRecord(other)) change(`is ${other.name}, and not ${mine.name}`);
    else {
      this.#countScalar(mine.name, other.name);
      if (mine.name !== other.name) change(`is ${other.name}, and not ${mine.name}`);
    }
  }

  #countScalar(mine: string, other: string): void {
    const counts = this.#scalars.get(mine) ?? new Map<string, number>();
    this.#scalars.set(mine, counts.set(other, (counts.get(other) ?? 0) + 1));
  }

  #note(found: Difference[], difference: Difference): void {
    found.push(difference);
    this.#differences.set(`${difference.where} ${difference.what}`, difference);
  }
}

function isRecord(type: GraphQLNamedType): boolean {
  return isObjectType(type) || isInputObjectType(type);
}

function isDemanded({ type, defaultValue }: GraphQLArgument | GraphQLInputField): boolean {
  return isNonNullType(type) && defaultValue === undefined;
}

/** How many lists deep. */
function depthOf(type: GraphQLType): number {
  const nullable = getNullableType(type);
  return isListType(nullable) ? 1 + depthOf(nullable.ofType) : 0;
}
