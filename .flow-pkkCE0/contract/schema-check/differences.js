import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
  isSpecifiedScalarType
} from "graphql";
function differencesOf(contract, live, assumedBelow) {
  const walker = new Walker(assumedBelow);
  walker.roots(contract.getQueryType(), live.getQueryType());
  walker.roots(contract.getMutationType(), live.getMutationType());
  return walker.walk();
}
class Walker {
  #assumedBelow;
  /** Types below assumed fields, compared last: the same types elsewhere are what the contract shows. */
  #deferred = [];
  #assumed = /* @__PURE__ */ new Map();
  #isBelowAssumed = false;
  #differences = /* @__PURE__ */ new Map();
  #seen = /* @__PURE__ */ new Set();
  #scalars = /* @__PURE__ */ new Map();
  #pairs = /* @__PURE__ */ new Map();
  #below = /* @__PURE__ */ new Map();
  constructor(assumedBelow) {
    this.#assumedBelow = assumedBelow;
  }
  walk() {
    const shown = new Set(this.#seen);
    this.#isBelowAssumed = true;
    for (let next = this.#deferred.shift(); next !== void 0; next = this.#deferred.shift()) next();
    return {
      differences: [...this.#differences.values()],
      assumed: [...this.#assumed.values()],
      seen: this.#seen,
      shown,
      scalars: this.#scalars,
      below: this.#below
    };
  }
  roots(ours, theirs) {
    const [mine, other] = [Object.values(ours?.getFields() ?? {}), Object.values(theirs?.getFields() ?? {})];
    this.#parts([], mine, other, "operation", null, (name) => name);
  }
  /** Compares two types of the same kind. Returns where they differ. */
  #members(ours, theirs) {
    const key = `${ours.name} ${theirs.name}`;
    const before = this.#pairs.get(key);
    if (before) return before;
    const found = [];
    this.#pairs.set(key, found);
    const [mine, other] = [Object.values(ours.getFields()), Object.values(theirs.getFields())];
    const noun = isInputObjectType(ours) ? "member" : "field";
    this.#parts(found, mine, other, noun, ours.name, (name) => `${ours.name}.${name}`);
    return found;
  }
  /**
   * Compares parts by name. A service that demands less of an input than the contract does is no
   * difference.
   */
  #parts(found, ours, theirs, noun, owner, whereOf) {
    const note = (kind, where, what, isDemand = false) => this.#note(found, { kind, where, owner, what, isDemand });
    for (const part of ours) {
      const where = whereOf(part.name);
      this.#seen.add(where);
      const other = theirs.find(({ name }) => name === part.name);
      if (!other) {
        note("removed", where, `the ${noun} is gone`);
        continue;
      }
      this.#types(found, where, owner, part.type, other.type, noun === "argument" ? "argument" : "value");
      if ("args" in part && "args" in other)
        this.#parts(found, part.args, other.args, "argument", owner, (name) => `${where}(${name})`);
      else if (isDemanded(other) && !isNonNullType(part.type)) note("changed", where, "has to be given now", true);
    }
    for (const other of theirs) {
      if (ours.some(({ name }) => name === other.name)) continue;
      const isDemand = isDemanded(other);
      const verb = noun === "operation" ? "that returns" : "of type";
      const what = `a new ${noun} ${verb} ${other.type}${isDemand ? ", which has to be given" : ""}`;
      note("added", whereOf(other.name), what, isDemand);
    }
  }
  #types(found, where, owner, ours, theirs, use) {
    const [mine, other] = [getNamedType(ours), getNamedType(theirs)];
    const change = (what) => this.#note(found, { kind: "changed", where, owner, what, isDemand: false });
    if (depthOf(ours) !== depthOf(theirs)) change(`is ${theirs}, and not ${ours}`);
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
        if (gone.length > 0) change(`no longer has the value ${gone.map(({ name }) => name).join(", ")}`);
      }
      if (mine.name === other.name || use === "value" && fits(mine, other)) return;
      change(otherThan(mine, other));
    }
  }
  #countScalar(mine, other) {
    const counts = this.#scalars.get(mine) ?? /* @__PURE__ */ new Map();
    this.#scalars.set(mine, counts.set(other, (counts.get(other) ?? 0) + 1));
  }
  #note(found, difference) {
    found.push(difference);
    const key = `${difference.where} ${difference.what}`;
    if (!this.#isBelowAssumed) this.#differences.set(key, difference);
    else if (!this.#differences.has(key)) this.#assumed.set(key, difference);
  }
}
function isRecord(type) {
  return isObjectType(type) || isInputObjectType(type);
}
function fits(ours, theirs) {
  if (isEnumType(ours)) return isEnumType(theirs);
  if (INTEGER.test(ours.name)) return INTEGER.test(theirs.name);
  return ours.name === "JSON" && isScalarType(theirs) && !isSpecifiedScalarType(theirs);
}
const INTEGER = /^(Int|Long|Short|Byte|BigInt|BigInteger|Integer|U?Int(8|16|32|64)|(Un)?signedInt|(Non)?(Negative|Positive)Int)$/i;
function isDemanded(part) {
  return !("args" in part) && isRequiredArgument(part);
}
function otherThan(mine, other) {
  if (mine.name !== other.name) return `is ${other.name}, and not ${mine.name}`;
  return `is ${kindOf(other)} ${other.name}, and not ${kindOf(mine)}`;
}
function kindOf(type) {
  if (isScalarType(type)) return "the scalar";
  if (isEnumType(type)) return "the enum";
  return isInputObjectType(type) ? "the input type" : "the object type";
}
function depthOf(type) {
  const nullable = getNullableType(type);
  return isListType(nullable) ? 1 + depthOf(nullable.ofType) : 0;
}
export {
  differencesOf
};
