import { timestampMs } from "../../telemetry/timestamps.js";
import { allowPartial } from "../connection/allow-partial.js";
import { call } from "../connection/call.js";
import { vehicleNames } from "../connection/vehicle-names.js";
import { serviceNow } from "../context/context.js";
import { Report } from "../context/report.js";
import { tellOrKeep } from "../input/load-input.js";
import { geofenceKind } from "../records/geofence.js";
import { groupKind } from "../records/group.js";
import { personKind } from "../records/person.js";
import { isMarkedDeleted } from "../shape/deleted.js";
import { namesText } from "../views/humanize.js";
import { recordsOf } from "./plan.js";
async function withDependents(context, open, steps) {
  const doomed = steps.flatMap(recordsOf).filter(({ action, id }) => action === "delete" && id !== null);
  if (doomed.length === 0) return steps;
  const moved = new Set(
    steps.flatMap(({ record }) => record.changes.some(({ field }) => field === "parentId") ? record.id ?? [] : [])
  );
  const dependents = await readDependents(context, open, doomed, moved);
  tellOfGroupsBelow(context, doomed, dependents);
  const now = serviceNow(context);
  const complete = (record) => {
    if (record.action !== "delete") return record;
    const found = dependents.get(record.id ?? "");
    const one = found ? { ...record, dependents: found } : record;
    const told = attachedTexts(one, now).join(", ");
    return told === "" ? one : { ...one, told };
  };
  return steps.map((step) => ({
    ...step,
    record: complete(step.record),
    ...step.effects ? { effects: step.effects.map(complete) } : {}
  }));
}
function tellOfGroupsBelow({ report }, doomed, dependents) {
  const above = doomed.filter(({ id }) => (dependents.get(id ?? "")?.groups ?? []).length > 0);
  if (above.length === 0) return;
  const [have, them] = above.length === 1 ? ["has", "it"] : ["have", "them"];
  report.remark(
    `${namesText(above.map(({ name }) => name))} ${have} groups below ${them}, and the service may refuse to delete ${them}. Delete those groups in the same command, or move them first: \`fleet groups update <group> --parent <group>\`.`
  );
}
async function readDependents(context, open, doomed, moved) {
  const idsOf = (noun) => doomed.flatMap(({ kind, id }) => kind === noun && id !== null ? [id] : []);
  const geofences = idsOf(geofenceKind.noun);
  const groups = idsOf(groupKind.noun);
  const people = idsOf(personKind.noun);
  if (geofences.length + groups.length + people.length === 0) return /* @__PURE__ */ new Map();
  const client = await open();
  const own = { ...context, report: new Report() };
  try {
    const [rules, children, names, assignments] = await Promise.all([
      geofences.length + groups.length > 0 ? allowPartial(own, (options) => call(client, "getRules", {}, { ...options, select: ruleSelection })) : [],
      groups.length > 0 ? allowPartial(own, (options) => call(client, "getGroups", {}, { ...options, select: childSelection })) : [],
      people.length > 0 ? vehicleNames(own, client) : /* @__PURE__ */ new Map(),
      Promise.all(
        people.map(
          (driverId) => allowPartial(own, (options) => call(client, "getDriverAssignments", { input: { driverId } }, options))
        )
      )
    ]);
    const now = serviceNow(context);
    return new Map([
      ...geofences.map((id) => [id, { rules: named(rules.filter((one) => one.geofenceIds?.includes(id))) }]),
      ...groups.map((id) => {
        const naming = rules.filter((one) => one.vehicles?.assignedGroupIds?.includes(id));
        const below = children.filter(
          ({ parentId, id: own2 }) => parentId === id && own2 && !groups.includes(own2) && !moved.has(own2)
        );
        return [id, { rules: named(naming), groups: named(below) }];
      }),
      ...people.map((id, index) => {
        const held = (assignments[index] ?? []).flatMap((row) => heldFrom(row, names, now));
        return [id, { assignments: held }];
      })
    ]);
  } catch (error) {
    if (context.io.signal.aborted) throw error;
    tellOrKeep(context, "What hangs on the records could not be read: `fleet undo` would not bring it back.");
    return /* @__PURE__ */ new Map();
  }
}
const ruleSelection = { id: true, name: true, geofenceIds: true, vehicles: { assignedGroupIds: true } };
const childSelection = { id: true, name: true, parentId: true };
function named(rows) {
  return rows.flatMap(({ id, name }) => id ? [{ id, name: name || id }] : []);
}
function heldFrom(row, names, now) {
  if (!row?.vehicleId || isMarkedDeleted(row)) return [];
  const { vehicleId } = row;
  const start = timestampMs(row.startedAt);
  const end = timestampMs(row.endedAt);
  if (start === null || end !== null && end <= now) return [];
  const text = (moment) => new Date(moment).toISOString();
  return [
    {
      vehicleId,
      vehicle: names.get(vehicleId) || vehicleId,
      startedAt: text(start),
      endedAt: end === null ? null : text(end)
    }
  ];
}
function attachedTexts({ changes, dependents: { rules = [], groups = [], assignments = [] } = {} }, now) {
  const had = (field) => changes.find((change) => change.field === field)?.before;
  const countOf = (field) => {
    const list = had(field);
    return Array.isArray(list) ? list.length : 0;
  };
  const isRunning = ({ startedAt }) => Date.parse(startedAt) <= now;
  const running = assignments.filter(isRunning);
  const holder = had("holder");
  return [
    ...counted(countOf("vehicleIds"), "vehicle", "vehicles"),
    ...counted(groups.length, "group below it", "groups below it"),
    ...used(rules),
    ...running.map(({ vehicle }) => `drives ${vehicle}`),
    ...counted(assignments.length - running.length, "planned assignment", "planned assignments"),
    ...counted(countOf("driverTokens"), "token", "tokens"),
    ...had("isUser") === true ? ["is a user of the service"] : [],
    ...typeof holder === "string" && holder !== "" ? [`identifies ${holder}`] : []
  ];
}
function used(rules) {
  const names = rules.map(({ name }) => `"${name}"`).join(", ");
  return rules.length === 0 ? [] : [`${rules.length === 1 ? "rule" : "rules"} ${names}`];
}
function counted(count, one, many) {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
}
export {
  withDependents
};
