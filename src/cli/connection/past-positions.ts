// Reads past positions of vehicles.

import type { FleetClient } from '../../index.js';
import { Readings } from '../../telemetry/readings.js';
import { despiteFailures } from '../../telemetry/streams/despite-failures.js';
import {
  type PastPosition,
  type PositionSnapshot,
  pastPositions,
  positionSelection,
} from '../../telemetry/visits/past-positions.js';
import type { Context } from '../context/context.js';
import { progressOn } from '../context/progress.js';
import { FailedVehicles } from '../errors/failed-vehicles.js';
import { timestamp } from '../parse/time.js';
import { wholeNumber } from '../views/humanize.js';

interface Vehicle {
  readonly id: string;
  readonly name: string;
  /** Has `lastData` by `positionSelection`; null when unknown. */
  readonly row: { readonly lastData?: PositionSnapshot | null } | null;
}

export interface PastPositions {
  readonly positions: ReadonlyMap<string, PastPosition<PositionSnapshot>>;
  /** Vehicles without a position in the days before. */
  readonly unknown: readonly Vehicle[];
  readonly failedIds: ReadonlySet<string>;
  /** Failures, to report after printing the others. */
  readonly failed: FailedVehicles;
}

/** Reads the positions of all vehicles in few requests. */
export async function readPastPositions(
  context: Context,
  client: FleetClient,
  vehicles: readonly Vehicle[],
  at: number,
  readings = new Readings(),
): Promise<PastPositions> {
  const nameById = new Map(vehicles.map(({ id, name }) => [id, name]));
  const failed = new FailedVehicles('getSnapshots', (id) => nameById.get(id) ?? id);
  const failedIds = new Set<string>();
  const progress = progressOn(context);
  const { signal } = context.io;
  async function* read(ids: readonly string[], from: number, to: number) {
    const vehicleIds = ids.filter((id) => !failedIds.has(id));
    if (vehicleIds.length === 0) return;
    progress.show(`reading positions of ${wholeNumber(vehicleIds.length)} of ${wholeNumber(vehicles.length)} vehicles`);
    yield* despiteFailures(
      client.streamSnapshots(
        { vehicleIds, from: timestamp(from), to: timestamp(to) },
        {
          select: positionSelection,
          partial: true,
          signal,
          onEvent(event) {
            if (event.type !== 'error') return;
            failedIds.add(event.vehicleId);
            failed.add(event.vehicleId, event.error);
          },
        },
      ),
    );
  }
  try {
    const toLocate = vehicles.map(({ id, row }) => ({ id, newest: row?.lastData ?? null }));
    const positions = await pastPositions<PositionSnapshot>(toLocate, at, read, readings);
    const unknown = vehicles.filter(({ id }) => !positions.has(id) && !failedIds.has(id));
    return { positions, unknown, failedIds, failed };
  } finally {
    progress.clear();
  }
}
