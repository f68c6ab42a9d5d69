// Reads the geofences that a command names, with their shapes; all of them without a name.
import type { FleetClient, Geofence } from '../../index.js';
import { shapesById } from '../../telemetry/visits/visit-detector.js';
import { allowPartial } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import type { ReportingRun } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import { geofenceKind } from '../records/geofence.js';
import { isMarkedDeleted } from '../shape/deleted.js';
import { idsIn } from './membership.js';

export interface NamedGeofence {
  readonly id: string;
  readonly name: string;
  readonly geojson: unknown;
}

/** Returns the ids of the named geofences. For an ambiguous name, the hint suggests a filter. */
function namedIds(run: ReportingRun, all: readonly Geofence[], names: readonly string[]): readonly string[] {
  try {
    return idsIn(run, geofenceKind, all, names);
  } catch (error) {
    const [name = ''] = names;
    if (!(error instanceof CliError) || error.code !== 'AMBIGUOUS_NAME' || names.length !== 1) throw error;
    const start = name.toLowerCase();
    const areAlike = (error.choices ?? []).every((choice) => String(choice.name).toLowerCase().startsWith(start));
    throw new CliError('AMBIGUOUS_NAME', error.problem, {
      choices: error.choices,
      hint: `Give more of the name, or the id. For all of them leave out the name and add --filter "geofence${areAlike ? `=${name}*` : `~${name}`}".`,
    });
  }
}

export async function namedGeofences(
  run: ReportingRun,
  client: FleetClient,
  names: readonly string[],
): Promise<readonly NamedGeofence[]> {
  const select = { ...geofenceKind.identity, geojson: true } as const;
  const all: readonly Geofence[] = await allowPartial(run, (options) =>
    call(client, 'getGeofences', {}, { ...options, select }),
  );
  const toNamed = (geofence: Geofence): readonly NamedGeofence[] =>
    geofence.id ? [{ id: geofence.id, name: geofence.name ?? geofence.id, geojson: geofence.geojson }] : [];
  if (names.length === 0) return all.filter((geofence) => !isMarkedDeleted(geofence)).flatMap(toNamed);
  const found = [...new Set(namedIds(run, all, names))].map((id) => {
    const [geofence] = all.filter((one) => one.id === id).flatMap(toNamed);
    if (geofence) return geofence;
    throw new CliError('NOT_FOUND', `There is no geofence with the id ${id}.`, {
      hint: '`fleet geofences list` lists all of them.',
    });
  });
  const shapes = shapesById(found);
  const shapeless = found.find(({ id }) => !shapes.get(id)?.shape);
  if (shapeless === undefined) return found;
  throw new CliError('PROTOCOL', `The geofence "${shapeless.name}" has no area that a vehicle can be in.`, {
    hint: '`fleet geofences update --geojson` replaces its shape.',
  });
}
