// Runs a sync for the command line: streams a row per finished table and shows the progress.
import type { FleetClient } from 'fleet-telematics';
import { durationText } from 'fleet-telematics/kit';
import type { Progress } from 'fleet-telematics/kit/command';
import {
  CliError,
  note,
  type ReportingRun,
  type Run,
  type View,
  vehicleFailureReason,
} from 'fleet-telematics/kit/command';
import type { SyncFailure, SyncOptions, SyncProgress, SyncReport, SyncTarget } from '../index.js';
import { isReadByVehicle } from '../parts.js';
import type { SyncFailureKind, TableReport } from '../report.js';
import { rethrowWith, type SyncModule } from './target.js';

export interface SyncJob {
  readonly sdk: SyncModule;
  readonly fleet: FleetClient;
  readonly target: SyncTarget;
  readonly options: SyncOptions;
  readonly progress: Progress;
}

const count = (value: number | null) => (value === null ? '' : String(value));

export const tableReportView: View<TableReport> = {
  columns: [
    { title: 'TABLE', text: ({ table }) => table, rank: 0 },
    { title: 'READ', text: ({ read }) => count(read), align: 'right', rank: 1 },
    { title: 'WRITTEN', text: ({ written }) => count(written), align: 'right', rank: 0 },
    { title: 'ADDED', text: ({ added }) => count(added), align: 'right', rank: 2 },
    { title: 'CHANGED', text: ({ changed }) => count(changed), align: 'right', rank: 3 },
    { title: 'REMOVED', text: ({ removed }) => count(removed), align: 'right', rank: 4 },
  ],
  fields: ['table', 'read', 'written', 'added', 'changed', 'removed'],
};

/**
 * Streams a report of each finished table.
 * @throws CliError INCOMPLETE_STREAM (exit code 6) at the end, when the copy is incomplete
 */
export async function* syncRows(
  run: ReportingRun,
  { sdk, fleet, target, options, progress }: SyncJob,
): AsyncGenerator<TableReport, void> {
  const done: TableReport[] = [];
  let isEnded = false;
  let wake = () => {};
  const describe = progressTexts(() => performance.now());
  const stopped = new AbortController();
  const running = sdk
    .syncFleet(fleet, target, {
      ...options,
      signal: AbortSignal.any([run.io.signal, stopped.signal]),
      onProgress: (update) => {
        const text = describe(update);
        if (!update.isDone) progress.show(text);
      },
      onTable: (table) => {
        done.push(table);
        wake();
      },
    })
    .finally(() => {
      isEnded = true;
      wake();
    });
  // The error is thrown below, after the finished rows are printed.
  running.catch(() => undefined);
  try {
    while (!isEnded || done.length > 0) {
      const next = done.shift();
      if (next) {
        progress.clear();
        yield next;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    progress.clear();
    // A consumer that stops reading ends the sync.
    stopped.abort();
    await running.catch(() => undefined);
  }
  const { failures, warnings, deleted } = await running.catch(rethrowWith(sdk));
  if (deleted !== null && deleted.trips + deleted.stops + deleted.snapshots > 0) note(run, deletedText(deleted));
  for (const { message } of warnings) run.report.warn(message);
  if (failures.length > 0) throw incomplete(failures);
}

function deletedText({ before, trips, stops, snapshots }: NonNullable<SyncReport['deleted']>): string {
  return `Deleted what ended before ${before}: ${trips} rows of trips and their parts, ${stops} of stops, ${snapshots} of snapshots.`;
}

const hints: Readonly<Record<SyncFailureKind, string>> = {
  unread: 'The next sync reads what is missing.',
  undeleted: 'Look at what the service answers first, for example with `fleet vehicles list`.',
  unstored: 'Correct these records in the service; until then each sync reports them again.',
};

function incomplete(failures: readonly SyncFailure[]): CliError {
  const details = failures.map(({ kind, part, vehicleId, error }) => {
    // Failures that the sync itself found keep their own message.
    const message = kind === 'unread' ? vehicleFailureReason(error) : error.message;
    return `${part}${vehicleId === null ? '' : ` of vehicle ${vehicleId}`}: ${message}`;
  });
  const kinds = new Set(failures.map(({ kind }) => kind));
  const count = failures.length;
  const what =
    kinds.size === 1 && kinds.has('unread')
      ? `${count === 1 ? 'One part' : `${count} parts`} of the fleet could not be read.`
      : `The copy is not the whole fleet, for ${count === 1 ? 'this reason' : `these ${count} reasons`}.`;
  const hint = (['undeleted', 'unstored', 'unread'] as const)
    .filter((kind) => kinds.has(kind))
    .map((kind) => hints[kind]);
  return new CliError('INCOMPLETE_STREAM', `${what} Everything else is in the copy.`, {
    details,
    hint: hint.join(' '),
  });
}

export interface PlannedPart {
  readonly part: string;
  /** Null for lists of records, which are read whole. */
  readonly vehicles: number | null;
  readonly from: string | null;
  readonly to: string | null;
}

export const plannedPartView: View<PlannedPart> = {
  columns: [
    { title: 'PART', text: ({ part }) => part, rank: 0 },
    { title: 'VEHICLES', text: ({ vehicles }) => count(vehicles), align: 'right', rank: 0 },
    { title: 'FROM', text: ({ from }) => from ?? '', rank: 0 },
    { title: 'TO', text: ({ to }) => to ?? '', rank: 0 },
  ],
  fields: ['part', 'vehicles', 'from', 'to'],
};

export async function* plannedParts(
  run: Run,
  { sdk, fleet, target, options }: SyncJob,
): AsyncGenerator<PlannedPart, void> {
  const preview = await sdk.previewSync(fleet, target, { ...options, signal: run.io.signal }).catch(rethrowWith(sdk));
  for (const part of preview.parts) {
    const periods = preview.periods.filter((period) => period.part === part);
    for (const { from, vehicles } of periods) yield { part, vehicles, from, to: preview.until };
    if (part === 'trips' || part === 'stops' || part === 'snapshots') continue;
    yield { part, vehicles: isReadByVehicle(part) ? preview.vehicles : null, from: null, to: null };
  }
}

/** A smaller fraction does not predict the rest. */
const LEAST_FRACTION = 0.02;
const LEAST_MS = 2000;

/**
 * Formats texts such as `trips: 1200 rows, 340 rows/s, 45 %, about 2 min left`, for one part alone.
 *
 * @param now A monotonic clock in milliseconds: the service's clock may be corrected during a sync.
 */
export function progressTexts(now: () => number): (progress: SyncProgress) => string {
  let begun = now();
  return ({ part, rows, fraction, isDone }) => {
    const ms = now() - begun;
    if (isDone) begun = now();
    const rate = ms > 0 ? `, ${Math.round(rows / (ms / 1000))} rows/s` : '';
    const hasEstimate = fraction > LEAST_FRACTION && fraction < 1 && ms > LEAST_MS;
    const left = hasEstimate ? `, about ${durationText(rounded((ms / fraction) * (1 - fraction)), 2)} left` : '';
    return `${part}: ${rows} rows${rate}, ${Math.floor(fraction * 100)} %${left}`;
  };
}

/** Rounds to whole minutes from 90 s on. */
function rounded(ms: number): number {
  return ms < 90_000 ? Math.ceil(ms / 1_000) * 1_000 : Math.round(ms / 60_000) * 60_000;
}
