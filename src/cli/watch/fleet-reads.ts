// Requests of `fleet watch`, and the lookup of vehicles, geofences and schedules in its rules.

import type { SelectionTree } from '../../contract/selection/tree.js';
import type { CallOptions, FleetClient } from '../../index.js';
import type { CompleteRule } from '../../telemetry/events/event-rule.js';
import { type EventReads, type RuleScopes, ruleSelection } from '../../telemetry/events/fleet-events.js';
import { workScheduleSelection } from '../../telemetry/events/work-schedule.js';
import { despiteFailures } from '../../telemetry/streams/despite-failures.js';
import {
  geofenceReports,
  geofenceSelection,
  vehicleReports,
  type WatchedVehicleRow,
  watchedSnapshotSelection,
  watchedVehicleSelection,
} from '../../telemetry/watch/fleet-reader.js';
import { partialAnswerOf } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import type { Context } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import { commandFailureOf } from '../errors/exit-codes.js';
import { idsIn } from '../find/membership.js';
import { hasVehicleFlags, type VehicleFlags, vehicleChoice } from '../find/vehicles.js';
import { deviceClocks } from '../live/fleet-status.js';
import { geofenceKind } from '../records/geofence.js';
import type { RecordKind } from '../records/record-kind.js';
import { scheduleKind } from '../records/reference-data.js';
import { isMarkedDeleted } from '../shape/deleted.js';
import type { AlertRule } from './alert-rule.js';

/** Vehicle choices by rule; null is the command. Rules for all vehicles are missing. */
export type VehicleChoices = ReadonlyMap<AlertRule | null, ReturnType<typeof vehicleChoice>>;

/** Returns the choices; sends nothing. Throws CliError USAGE for an invalid filter. */
export function vehicleChoices(context: Context, vehicles: VehicleFlags, rules: readonly AlertRule[]): VehicleChoices {
  const scopes = [[null, vehicles] as const, ...rules.map((rule) => [rule, rule.vehicles ?? {}] as const)];
  return new Map(
    scopes.flatMap(([rule, flags]) =>
      hasVehicleFlags(flags) ? [[rule, vehicleChoice(context, [], flags)] as const] : [],
    ),
  );
}

export function eventReads(
  context: Context,
  client: FleetClient,
  rules: readonly AlertRule[],
): EventReads<CallOptions> {
  const selection: SelectionTree = { ...watchedSnapshotSelection, ...ruleSelection(rules) };
  const clocks = deviceClocks(context);
  return {
    async vehicles(options) {
      const select: SelectionTree = { ...watchedVehicleSelection, lastData: selection };
      const { value, isWhole } = await partialAnswerOf(context, (partial) =>
        call(client, 'getVehicles', {}, { ...partial, ...options, select }),
      );
      // The static type has only the default selection.
      const vehicles = vehicleReports(value as readonly WatchedVehicleRow[]);
      for (const { vehicleId, name, snapshot } of vehicles) {
        clocks.take('getVehicles', vehicleId, snapshot, name ?? vehicleId);
      }
      return { vehicles, isComplete: isWhole && vehicles.length === value.length };
    },
    async geofences(options) {
      const { value, isWhole } = await partialAnswerOf(context, (partial) =>
        call(client, 'getGeofences', {}, { ...partial, ...options, select: geofenceSelection }),
      );
      return { geofences: geofenceReports(value), isComplete: isWhole };
    },
    async schedules(options) {
      const { value } = await partialAnswerOf(context, (partial) =>
        call(client, 'getWorkSchedules', {}, { ...partial, ...options, select: workScheduleSelection }),
      );
      return value.filter((schedule) => !isMarkedDeleted(schedule));
    },
    snapshots: (vehicles, to, onError) =>
      despiteFailures(
        client.streamSnapshots(
          { vehicles, to },
          {
            // The selection is known only at run time.
            select: selection as typeof watchedSnapshotSelection,
            signal: context.io.signal,
            onEvent(event) {
              if (event.type !== 'error') return;
              const { aborted } = context.io.signal;
              onError(event.vehicleId, commandFailureOf(event.error, aborted, context.globals.timeout).reason);
            },
          },
        ),
      ),
  };
}

export function ruleScopes(
  context: Context,
  client: FleetClient,
  rules: readonly AlertRule[],
  choices: VehicleChoices,
): RuleScopes<CallOptions> {
  const geofencesOf = new Map<CompleteRule, AlertRule['geofences']>(rules.map((rule) => [rule, rule.geofences]));
  return {
    async vehicles(options) {
      const chosen = [...choices].map(async ([rule, choose]) => {
        const vehicles = await choose(client, {}, options);
        return [rule, new Set(vehicles.map(({ id }) => id))] as const;
      });
      return new Map<CompleteRule | null, ReadonlySet<string>>(await Promise.all(chosen));
    },
    geofences(rule, geofences) {
      const rows = geofences.map(({ geofenceId: id, name }) => ({ id, name }));
      const names = geofencesOf.get(rule) ?? null;
      return names && new Set(matchingIds(context, geofenceKind, rows, names));
    },
    schedule(name, schedules) {
      const [id] = matchingIds(context, scheduleKind, schedules, [name]);
      const schedule = schedules.find((one) => one.id === id);
      if (schedule !== undefined) return schedule;
      throw new CliError('NOT_FOUND', `There is no work schedule ${JSON.stringify(name)}.`, {
        hint: `${scheduleKind.listCommand} shows all work schedules.`,
      });
    },
  };
}

function matchingIds(
  context: Context,
  kind: RecordKind<never>,
  rows: readonly object[],
  names: readonly string[],
): readonly string[] {
  // A match needs only the id and the texts of a row.
  return idsIn(context, kind as RecordKind<object>, rows, names);
}
