// Reads the addresses of last positions. Their structure is an assumption, so a service may refuse
// them; the command then works without.
import type { CallOptions, FleetClient } from '../../index.js';
import { readText } from '../../telemetry/readings.js';
import { handleWarning } from '../connection/handle-warning.js';
import { refusalReason } from '../connection/refusal-reason.js';
import { note, type ReportingRun } from '../context/context.js';
import { isOfMissing, partialResultOf } from '../errors/partial-result.js';
import { isFieldNamed } from '../shape/named-fields.js';
import { addressText } from '../views/geofence.js';
import type { LocatedFields } from '../views/place.js';
import { showsPlaces } from './shows-places.js';

/** Addresses by vehicle id; null when the output has none. */
export type Addresses = ReadonlyMap<string, string> | null;

export type ReadAddresses = (options?: CallOptions) => Promise<Addresses>;

/** The members that public integrations select; both may be in `address`. */
const select = { id: true, latestData: { address: { address: true, city: true } } } as const;

interface AddressOptions extends CallOptions {
  readonly select: typeof select;
}

interface AddressRow {
  readonly id?: string | null;
  readonly latestData?: { readonly address?: { readonly address?: unknown; readonly city?: unknown } | null } | null;
}

const fieldNames = ['address'];

/** The line of help texts. */
export const addressHelp = `ADDRESS is the address of the last position, where the service has the structure that is
  assumed for it. Formats for programs have it with --fields address.`;

/** Returns a function that reads the addresses if shown, until the service refuses them. */
export function addressReader(
  run: ReportingRun,
  client: FleetClient,
  read: (options: AddressOptions) => Promise<readonly (AddressRow | null)[]> = (options) =>
    client.getVehicles({}, options),
): ReadAddresses {
  let isRefused = false;
  return async (options) => {
    if (!showsPlaces(run, fieldNames)) return null;
    if (isRefused) return new Map();
    let reason: string | null = null;
    const onWarning: CallOptions['onWarning'] = (warning) => {
      if (isOfMissing(warning)) reason ??= partialResultOf(warning).messages.join(' ');
      else handleWarning(run, warning);
    };
    const rows = await read({ signal: run.io.signal, ...options, partial: true, onWarning, select }).catch((error) => {
      reason = refusalReason(run, error);
      return [];
    });
    const texts = rows.map((row) => [row?.id ?? '', row === null ? '' : textOf(row)] as const);
    const addresses = new Map(texts.filter(([, text]) => text !== ''));
    isRefused = reason !== null && addresses.size === 0;
    if (reason !== null) reportRefusal(run, reason);
    return addresses;
  };
}

function reportRefusal(run: ReportingRun, reason: string): void {
  if (isFieldNamed(run, fieldNames)) run.report.warn(`Addresses could not be read, so they are empty: ${reason}`);
  else if (run.globals.verbose) note(run, `! the service refuses addresses, so they are left out: ${reason}`);
}

function textOf({ latestData }: AddressRow): string {
  const street = readText(latestData?.address?.address);
  const city = readText(latestData?.address?.city);
  return addressText({ address: { address: street, city: city && street?.includes(city) ? null : city } });
}

/** Returns the field of a row. `vehicleId`: null for a row without its last position. */
export function addressFieldOf(addresses: Addresses, vehicleId: string | null | undefined): LocatedFields {
  return addresses === null ? {} : { address: addresses.get(vehicleId ?? '') ?? null };
}
