import { isInputObjectType, isIntrospectionType, isObjectType, isScalarType } from "graphql";
function assumptionsOf(contract) {
  const found = [];
  for (const type of Object.values(contract.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    if (isScalarType(type)) note(found, `scalar ${type.name}`, type);
    if (!isObjectType(type) && !isInputObjectType(type)) continue;
    note(found, `${isInputObjectType(type) ? "input" : "type"} ${type.name}`, type);
    for (const field of Object.values(type.getFields())) note(found, `${type.name}.${field.name}`, field);
  }
  return found;
}
function note(found, where, definition) {
  const mark = definition.astNode?.directives?.find(({ name }) => name.value === "assumed");
  if (!mark) return;
  const said = (name) => mark.arguments?.find((argument) => argument.name.value === name)?.value.value;
  const part = said("part");
  if (part !== "LEAF_TYPE" && part !== "STRUCTURE" && part !== "INPUT") return;
  found.push({ where, part, reason: String(said("reason") ?? "") });
}
function judge(assumptions, walk) {
  return assumptions.map(({ where, part }) => {
    const detail = detailOf(where, walk);
    if (detail === void 0) {
      return { where, part, status: "unknown", detail: "the service has nothing to compare it with" };
    }
    return { where, part, status: detail === null ? "confirmed" : "refuted", detail };
  });
}
function detailOf(where, walk) {
  const [kind = "", name] = where.split(" ");
  const differencesOf = (isShown) => isShown ? walk.differences : [...walk.differences, ...walk.assumed];
  if (kind === "scalar") return scalarDetail(name ?? "", walk);
  if (name !== void 0) {
    const isIn = (places) => [...places].some((place) => place.startsWith(`${name}.`));
    if (!isIn(walk.seen)) return void 0;
    return told(differencesOf(isIn(walk.shown)).filter(({ owner }) => owner === name));
  }
  if (!walk.seen.has(where)) return void 0;
  const own = differencesOf(walk.shown.has(where)).filter((one) => one.where === where);
  return told([...own, ...walk.below.get(where) ?? []]);
}
function scalarDetail(name, { scalars }) {
  const uses = scalars.get(name);
  if (!uses) return void 0;
  const others = [...uses].filter(([other]) => other !== name);
  if (others.length === 0) return null;
  return `is ${others.map(([other, count]) => `${other} (${count} ${count === 1 ? "place" : "places"})`).join(", ")}`;
}
function told(differences) {
  const against = differences.filter(({ kind, isDemand }) => kind !== "added" || isDemand);
  return against.length === 0 ? null : against.map(({ where, what }) => `${where}: ${what}`).join("; ");
}
function isAssumed(difference, assumptions, scalarAt) {
  const { where, owner, kind } = difference;
  if (kind === "added" && difference.isDemand) return false;
  if (assumptions.has(where)) return kind === "changed";
  if (owner !== null && (assumptions.has(`type ${owner}`) || assumptions.has(`input ${owner}`))) return true;
  const scalar = scalarAt(where);
  return kind === "changed" && scalar !== null && assumptions.has(`scalar ${scalar}`);
}
export {
  assumptionsOf,
  isAssumed,
  judge
};
