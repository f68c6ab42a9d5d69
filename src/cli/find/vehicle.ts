// Finds the vehicle that somebody means: by id, or by a name, plate or VIN that fits exactly one.
import type { FleetClient } from '../../index.js';
import { type Choice, CliError } from '../cli-error.js';
import type { Context } from '../context.js';
import { looksLikeId } from '../parse/user-selector.js';
import { tolerate } from '../shortfall.js';
import type { VehicleRow } from '../views/vehicle.js';
import { didYouMean } from './suggest.js';

/** Throws NOT_FOUND when there is none and AMBIGUOUS_NAME when several fit. A part of a name is enough for reads only. */
export async function findVehicle(
  context: Context,
  client: FleetClient,
  said: string,
  { substring }: { readonly substring: boolean },
): Promise<VehicleRow> {
  const wanted = said.trim();
  if (looksLikeId(wanted)) {
    const vehicle = await tolerate(context, (options) => client.getVehicleById({ id: wanted }, options)).catch(
      (error: unknown) => {
        // Some services answer an unknown id with null, others with an error.
        if (error instanceof CliError && error.code === 'NOT_FOUND') return null;
        throw error;
      },
    );
    if (vehicle) return vehicle;
    throw notFound(`There is no vehicle with the id ${wanted}.`);
  }
  const vehicles = await tolerate(context, (options) => client.getVehicles({}, options));
  const matches = matchesOf(wanted, vehicles, substring);
  const [only] = matches;
  if (only && matches.length === 1) return only;
  if (only) {
    throw new CliError('AMBIGUOUS_NAME', `"${wanted}" fits ${matches.length} vehicles.`, {
      choices: matches.map(choiceOf),
      hint: 'Say more of the name, or give the id.',
    });
  }
  const names = vehicles.flatMap(({ name, licensePlate, vin }) => [name, licensePlate, vin]).filter(isText);
  throw notFound(`There is no vehicle "${wanted}".`, didYouMean(wanted, names));
}

export function noVehicleWithVin(vin: string): CliError {
  return notFound(`There is no vehicle with the VIN ${vin}.`);
}

function notFound(message: string, nearest?: string): CliError {
  return new CliError('NOT_FOUND', message, { hint: nearest ?? '`fleet vehicles list` shows all there are.' });
}

/** The best way of fitting that fits anything: exactly as written, but for case and gaps in plates, or as a part. */
export function matchesOf(said: string, vehicles: readonly VehicleRow[], substring: boolean): readonly VehicleRow[] {
  const wanted = said.toLowerCase();
  if (wanted === '') return [];
  const texts = ({ id, name, licensePlate, vin }: VehicleRow) => [id, name, licensePlate, vin].filter(isText);
  const ways: ((vehicle: VehicleRow) => boolean)[] = [
    (vehicle) => texts(vehicle).includes(said),
    (vehicle) => texts(vehicle).some((text) => text.toLowerCase() === wanted),
    (vehicle) => isText(vehicle.licensePlate) && withoutGaps(vehicle.licensePlate) === withoutGaps(said),
  ];
  if (substring) ways.push((vehicle) => texts(vehicle).some((text) => text.toLowerCase().includes(wanted)));
  for (const way of ways) {
    const matches = vehicles.filter(way);
    if (matches.length > 0) return matches;
  }
  return [];
}

/** People write `123 ABC`, `123-ABC` and `123abc` for one plate. */
function withoutGaps(plate: string): string {
  return plate.toLowerCase().replace(/[\s-]+/g, '');
}

function choiceOf({ id, name, licensePlate, vin }: VehicleRow): Choice {
  return { id, name, licensePlate, vin };
}

function isText(text: string | null | undefined): text is string {
  return typeof text === 'string' && text !== '';
}
