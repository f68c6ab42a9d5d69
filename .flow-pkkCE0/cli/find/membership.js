import { allowPartial } from "../connection/allow-partial.js";
import { call } from "../connection/call.js";
import { CliError } from "../errors/cli-error.js";
import { repeatable } from "../parse/repeatable.js";
import { groupKind } from "../records/group.js";
import { labelKind } from "../records/reference-data.js";
import { findEachIn, requireIds } from "./match.js";
const memberSelection = { assignedGroups: { id: true }, assignedLabels: { id: true } };
function addMemberFlags(command, { byLabel = true } = {}) {
  command.option("--group <group>", "the vehicles of this group and of those below it; repeat for more", repeatable);
  if (byLabel) command.option("--label <label>", "the vehicles with this label; repeat for more", repeatable);
  return command;
}
function hasMemberFlags({ group, label }) {
  return group !== void 0 || label !== void 0;
}
async function membership(run, client, { group, label }, options = {}, substring = true) {
  const [groupIds, labelIds] = await Promise.all([
    group === void 0 ? null : idsOfGroups(run, client, group, options, substring),
    label === void 0 ? null : idsOfLabels(run, client, label, options, substring)
  ]);
  const isIn = (ids, members) => ids === null || (members ?? []).some((member) => ids.has(member?.id ?? ""));
  return ({ assignedGroups, assignedLabels }) => isIn(groupIds, assignedGroups) && isIn(labelIds, assignedLabels);
}
async function idsOfGroups(run, client, names, options, substring) {
  const select = { ...groupKind.identity, parentId: true };
  const groups = await allowPartial(
    run,
    (partialOptions) => call(client, "getGroups", {}, { ...partialOptions, ...options, select })
  );
  const ids = new Set(idsIn(run, groupKind, groups, names, substring));
  for (let before = 0; before < ids.size; ) {
    before = ids.size;
    for (const { id, parentId } of groups) if (id && parentId && ids.has(parentId)) ids.add(id);
  }
  return ids;
}
async function idsOfLabels(run, client, names, options, substring) {
  const select = labelKind.identity;
  const labels = await allowPartial(
    run,
    (partialOptions) => call(client, "getLabels", {}, { ...partialOptions, ...options, select })
  );
  return new Set(idsIn(run, labelKind, labels, names, substring));
}
function idsIn(run, kind, rows, names, substring = true) {
  const queries = names.map((name) => requireText(name));
  return requireIds(findEachIn(run, kind, rows, queries, substring));
}
function requireText(text) {
  const name = text.trim();
  if (name !== "") return name;
  throw new CliError("USAGE", "One of the names is empty.", { hint: "Give ids or names." });
}
export {
  addMemberFlags,
  hasMemberFlags,
  idsIn,
  memberSelection,
  membership
};
