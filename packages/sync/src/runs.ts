// Logs a sync in the copy: its begin, its outcome, and how current each part is.
import { FleetError } from 'fleet-telematics';
import { sdkVersion } from 'fleet-telematics/kit';
import { jsonText } from './json.js';
import type { SyncPlan } from './options.js';
import { isReadByVehicle, type SyncPart, syncParts } from './parts.js';
import type { SyncReport } from './report.js';
import type { Cell, Row } from './rows.js';
import type { StampedCopy } from './stamped-copy.js';
import type { Step } from './target.js';

/** A sync a minute for more than two months. */
const MAX_RUNS = 100_000;
const MAX_MESSAGES = 20;
const PART_COLUMNS = ['part', 'complete_until', 'complete_at', 'read_at', 'failures', 'run_id'];

type Reported = Pick<SyncReport, 'tables' | 'failures' | 'warnings' | 'until'>;

interface End {
  readonly endedAt: string | null;
  readonly outcome: 'complete' | 'incomplete' | 'failed' | 'interrupted' | null;
  readonly readUntil: string | null;
  readonly rowsRead: number | null;
  readonly failures: number | null;
  readonly messages: readonly string[] | null;
}

const notEnded: End = {
  ...{ endedAt: null, outcome: null, readUntil: null },
  ...{ rowsRead: null, failures: null, messages: null },
};

export class RunLog {
  readonly #copy: StampedCopy;
  readonly #plan: SyncPlan;
  #beganAt = '';

  constructor(copy: StampedCopy, plan: SyncPlan) {
    this.#copy = copy;
    this.#plan = plan;
  }

  async begin(): Promise<void> {
    const { runId } = this.#copy;
    await this.#copy.note((at) => {
      this.#beganAt = at;
      return [
        { kind: 'upsert', table: 'sync_runs', rows: [this.#row(notEnded)] },
        { kind: 'upsert', table: 'sync_state', rows: [['last_run', String(runId)]] },
        { kind: 'delete', table: 'sync_runs', column: 'id', values: [runId - MAX_RUNS] },
      ];
    });
  }

  async end(report: Reported): Promise<void> {
    const { tables, failures, warnings, until } = report;
    const before = await this.#copy.read('sync_parts', PART_COLUMNS);
    await this.#copy.note((at) => {
      const run = this.#row({
        endedAt: at,
        outcome: failures.length === 0 ? 'complete' : 'incomplete',
        readUntil: until,
        rowsRead: tables.reduce((sum, { read }) => sum + read, 0),
        failures: failures.length,
        messages: [...failures.map(({ error }) => error.message), ...warnings.map(({ message }) => message)],
      });
      const parts = syncParts
        .filter((part) => this.#plan.parts.has(part))
        .map((part) =>
          this.#partRow(
            part,
            before.find(([name]) => name === part),
            report,
            at,
          ),
        );
      return [
        { kind: 'upsert', table: 'sync_runs', rows: [run] },
        { kind: 'upsert', table: 'sync_parts', rows: parts },
      ];
    });
  }

  /** Logs the error that ended the sync, unless the database has failed. */
  async failed(error: unknown): Promise<void> {
    // An interrupt can end any call; that call's error adds nothing.
    const isInterrupted = this.#plan.signal?.aborted === true;
    const message = FleetError.is(error) || error instanceof Error ? error.message : String(error);
    const end: End = isInterrupted
      ? {
          ...notEnded,
          outcome: 'interrupted',
          messages: ['The sync was interrupted. The next one goes on from there.'],
        }
      : { ...notEnded, outcome: 'failed', messages: [message] };
    const steps = (at: string): Step[] => [
      { kind: 'upsert', table: 'sync_runs', rows: [this.#row({ ...end, endedAt: at })] },
    ];
    await this.#copy.note(steps).catch(() => undefined);
  }

  #row({ endedAt, outcome, readUntil, rowsRead, failures, messages }: End): Row {
    const { written, deleted } = this.#copy.total;
    const counts = endedAt === null ? [null, null] : [written, deleted];
    return [
      ...[this.#copy.runId, this.#beganAt, endedAt, outcome, jsonText([...this.#plan.parts]), readUntil],
      ...[rowsRead, ...counts, failures],
      ...[messages === null ? null : jsonText(messages.slice(0, MAX_MESSAGES)), sdkVersion],
    ];
  }

  /** Returns the row of a part. A sync of some vehicles does not change its completeness. */
  #partRow(part: SyncPart, before: readonly Cell[] | undefined, { failures, until }: Reported, at: string): Row {
    const own = failures.filter((failure) => failure.part === part);
    const { vehicleIds, groupIds } = this.#plan;
    const isOfAll = !isReadByVehicle(part) || (vehicleIds === undefined && groupIds === undefined);
    const isComplete = isOfAll && own.every(({ kind }) => kind === 'unstored');
    const complete = isComplete ? [until, at] : [before?.[1] ?? null, before?.[2] ?? null];
    return [part, ...complete, at, own.length, this.#copy.runId];
  }
}
