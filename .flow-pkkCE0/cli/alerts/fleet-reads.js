import { ruleSelection } from "../../telemetry/events/fleet-events.js";
import { workScheduleSelection } from "../../telemetry/events/work-schedule.js";
import { despiteFailures } from "../../telemetry/streams/despite-failures.js";
import {
  geofenceReports,
  geofenceSelection,
  vehicleReports,
  watchedSnapshotSelection,
  watchedVehicleSelection
} from "../../telemetry/watch/fleet-reader.js";
import { partialAnswerOf } from "../connection/allow-partial.js";
import { call } from "../connection/call.js";
import { CliError } from "../errors/cli-error.js";
import { commandFailureOf } from "../errors/exit-codes.js";
import { idsIn } from "../find/membership.js";
import { hasVehicleFlags, vehicleChoice } from "../find/vehicles.js";
import { geofenceKind } from "../records/geofence.js";
import { scheduleKind } from "../records/reference-data.js";
import { isMarkedDeleted } from "../shape/deleted.js";
import { deviceClocks } from "../watch/fleet-status.js";
function vehicleChoices(context, vehicles, rules) {
  const scopes = [[null, vehicles], ...rules.map((rule) => [rule, rule.vehicles ?? {}])];
  return new Map(
    scopes.flatMap(
      ([rule, flags]) => hasVehicleFlags(flags) ? [[rule, vehicleChoice(context, [], flags)]] : []
    )
  );
}
function eventReads(context, client, rules) {
  const selection = { ...watchedSnapshotSelection, ...ruleSelection(rules) };
  const clocks = deviceClocks(context);
  return {
    async vehicles(options) {
      const select = { ...watchedVehicleSelection, lastData: selection };
      const { value, isWhole } = await partialAnswerOf(
        context,
        (partial) => call(client, "getVehicles", {}, { ...partial, ...options, select })
      );
      const vehicles = vehicleReports(value);
      for (const { vehicleId, name, snapshot } of vehicles) {
        clocks.take("getVehicles", vehicleId, snapshot, name ?? vehicleId);
      }
      return { vehicles, isComplete: isWhole && vehicles.length === value.length };
    },
    async geofences(options) {
      const { value, isWhole } = await partialAnswerOf(
        context,
        (partial) => call(client, "getGeofences", {}, { ...partial, ...options, select: geofenceSelection })
      );
      return { geofences: geofenceReports(value), isComplete: isWhole };
    },
    async schedules(options) {
      const { value } = await partialAnswerOf(
        context,
        (partial) => call(client, "getWorkSchedules", {}, { ...partial, ...options, select: workScheduleSelection })
      );
      return value.filter((schedule) => !isMarkedDeleted(schedule));
    },
    snapshots: (vehicles, to, onError) => despiteFailures(
      client.streamSnapshots(
        { vehicles, to },
        {
          // The type of a row follows from a selection that is known only now.
          select: selection,
          signal: context.io.signal,
          onEvent(event) {
            if (event.type !== "error") return;
            const { aborted } = context.io.signal;
            onError(event.vehicleId, commandFailureOf(event.error, aborted, context.globals.timeout).reason);
          }
        }
      )
    )
  };
}
function ruleScopes(context, client, rules, choices) {
  const geofencesOf = new Map(rules.map((rule) => [rule, rule.geofences]));
  return {
    async vehicles(options) {
      const chosen = [...choices].map(async ([rule, choose]) => {
        const vehicles = await choose(client, {}, options);
        return [rule, new Set(vehicles.map(({ id }) => id))];
      });
      return new Map(await Promise.all(chosen));
    },
    geofences(rule, geofences) {
      const rows = geofences.map(({ geofenceId: id, name }) => ({ id, name }));
      const names = geofencesOf.get(rule) ?? null;
      return names && new Set(matchingIds(context, geofenceKind, rows, names));
    },
    schedule(name, schedules) {
      const [id] = matchingIds(context, scheduleKind, schedules, [name]);
      const schedule = schedules.find((one) => one.id === id);
      if (schedule !== void 0) return schedule;
      throw new CliError("NOT_FOUND", `There is no work schedule ${JSON.stringify(name)}.`, {
        hint: `${scheduleKind.listCommand} shows all work schedules.`
      });
    }
  };
}
function matchingIds(context, kind, rows, names) {
  return idsIn(context, kind, rows, names);
}
export {
  eventReads,
  ruleScopes,
  vehicleChoices
};
