// Finds the vehicle that somebody means: by id, or by a name, plate or VIN that fits exactly one.
import type { FleetClient, GraphQLResponseError } from '../../index.js';
import { type Choice, CliError } from '../cli-error.js';
import { looksLikeId } from '../parse/user-selector.js';
import type { VehicleRow } from '../views/vehicle.js';
import { didYouMean } from './suggest.js';

export interface FindOptions {
  /** Whether a part of a name is enough: for reads only. */
  readonly substring: boolean;
  readonly signal: AbortSignal;
}

/** Throws NOT_FOUND when there is none and AMBIGUOUS_NAME when several fit. */
export async function findVehicle(client: FleetClient, said: string, options: FindOptions): Promise<VehicleRow> {
  const wanted = said.trim();
  if (looksLikeId(wanted)) {
    const vehicle = await client
      .getVehicleById({ id: wanted }, { partial: true, signal: options.signal })
      .catch((error: unknown) => {
        if (isNotFound(error)) return null;
        throw error;
      });
    if (vehicle) return vehicle;
    throw notFound(`There is no vehicle with the id ${wanted}.`);
  }
  const vehicles = await client.getVehicles({}, { partial: true, signal: options.signal });
  const matches = matchesOf(wanted, vehicles, options.substring);
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

/** Some services answer an unknown id with null, others with an error. */
function isNotFound(error: unknown): error is GraphQLResponseError {
  return error instanceof Error && Reflect.get(error, 'classification') === 'NOT_FOUND';
}
