// Sends the requests of a step, checks the answers, and records both in the journal.
import type { FleetErrorCode } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import { operations } from '../../generated/operation-table.js';
import type { FleetClient, WarningEvent } from '../../index.js';
import { dataDespiteErrors } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import { handleWarning } from '../connection/handle-warning.js';
import type { Context } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import { commandFailureOf, mayHaveApplied } from '../errors/exit-codes.js';
import type { EndOfStep, StepOutcome } from '../journal/entry.js';
import type { Recorder } from '../journal/recorder.js';
import { NewRecord, resolveIds } from '../records/new-record.js';
import type { Request } from '../records/requests.js';
import { type PlanStep, recordsOf } from './plan.js';
import type { PlannedChange } from './record-change.js';

export class StepSender {
  readonly #context: Context;
  readonly #client: FleetClient;
  readonly #recorder: Recorder | null;
  readonly #created = new Map<NewRecord, string>();
  /** The new ids of restored records, by former id; null until they are known. */
  readonly #renewed: Map<string, string | null>;

  constructor(context: Context, client: FleetClient, recorder: Recorder | null, steps: readonly PlanStep[]) {
    this.#context = context;
    this.#client = client;
    this.#recorder = recorder;
    this.#renewed = new Map(steps.flatMap(({ record }) => (record.formerId ? [[record.formerId, null] as const] : [])));
  }

  /**
   * Sends the requests of a step. Returns the created record, or else the last answer.
   * @throws CliError AMBIGUOUS_MUTATION for a step that was interrupted after its first request
   */
  async send(step: PlanStep): Promise<unknown> {
    const { requests, creates } = step;
    const names = [...new Set(requests.map(({ operation }) => operation))];
    const records = recordsOf(this.withResolvedIds(step));
    const end: EndOfStep = this.#recorder?.begin({ operations: names, records }) ?? (() => undefined);
    const results: unknown[] = [];
    for (const request of requests) {
      try {
        results.push(await this.#sendOne(request));
      } catch (error) {
        const done = results.length;
        const id = creates ? idIn(results[0]) : null;
        end({ outcome: done > 0 || mayHaveApplied(error) ? 'unknown' : 'failed', ...(id === null ? {} : { id }) });
        throw done > 0 ? partlyDoneError(error, `${done} of the ${requests.length} requests`) : error;
      }
      const newId = creates && idIn(results[0]);
      if (newId) this.#created.set(creates, newId);
      if (newId && step.record.formerId) this.#renewed.set(step.record.formerId, newId);
    }
    const result = (creates ? results[0] : results.at(-1)) ?? null;
    const id = idIn(result);
    end({ outcome: 'done', ...(id === null ? {} : { id }), ...groupsIn(results) });
    return result;
  }

  async #sendOne({ operation, variables, idempotent, select }: Request): Promise<unknown> {
    const { signal } = this.#context.io;
    const onWarning = (warning: WarningEvent) => handleWarning(this.#context, warning);
    const resolved = resolveIds(variables, (id) => this.#idOf(id));
    // The variables were already checked against the contract's input type.
    const sent = call(this.#client, operation, resolved as never, { signal, onWarning, select, idempotent });
    const result = await sent.catch((error: unknown): unknown =>
      Reflect.get(dataDespiteErrors(this.#context, error), operation),
    );
    checkResult(operation, result);
    return result;
  }

  /** Returns the step with the ids of records that earlier steps have created. */
  withResolvedIds(step: PlanStep): PlanStep {
    const { record, effects } = step;
    return {
      ...step,
      record: this.#withKnownIds(record),
      ...(effects ? { effects: effects.map((effect) => this.#withKnownIds(effect)) } : {}),
    };
  }

  /** Returns the record with the ids of created records, which undo compares with the service. */
  #withKnownIds(record: PlannedChange): PlannedChange {
    const resolve = (id: string | NewRecord) =>
      id instanceof NewRecord ? (this.#created.get(id) ?? id.name) : (this.#renewed.get(id) ?? id);
    const { formerId, ...others } = record;
    // `resolveIds` keeps the type and replaces only ids.
    const resolved = resolveIds(others, resolve) as typeof others;
    return formerId === undefined ? resolved : { ...resolved, formerId };
  }

  #idOf(id: string | NewRecord): string {
    const isNew = id instanceof NewRecord || this.#renewed.has(id);
    const resolved = id instanceof NewRecord ? this.#created.get(id) : this.#renewed.get(id);
    if (!isNew) return id;
    if (resolved) return resolved;
    const name = id instanceof NewRecord ? ` "${id.name}"` : ` a record, formerly ${id}`;
    throw new CliError('GRAPHQL', `It refers to${name}, which was not created.`, {
      undone: 'sent',
      hint: 'The same command tries both again.',
    });
  }
}

/** Returns the groups that really changed, when the service reports them. */
function groupsIn(results: readonly unknown[]): Pick<StepOutcome, 'joined' | 'left'> {
  const ids = (name: string) =>
    results
      .filter(isObject)
      .flatMap((result) => result[name] ?? [])
      .filter((id) => typeof id === 'string');
  const [joined, left] = [ids('addedGroupIds'), ids('removedGroupIds')];
  return { ...(joined.length > 0 ? { joined } : {}), ...(left.length > 0 ? { left } : {}) };
}

/** Adds a note about the completed part. After an interruption the outcome is unknown. */
function partlyDoneError(error: unknown, part: string): unknown {
  const { code, message, details, hint, operation } = commandFailureOf(error, false);
  if (code === 'ABORTED') {
    return new CliError('AMBIGUOUS_MUTATION', `Interrupted after ${part} of this change.`, { cause: error });
  }
  // A failed request has the code of an SDK error or of a CliError.
  return new CliError(code as FleetErrorCode, message, {
    details: [...details, `Before that, ${part} of this change succeeded.`],
    hint: hint ?? undefined,
    operation: operation ?? undefined,
    cause: error,
  });
}

/** Throws CliError GRAPHQL for `false` or no record: a failure without an error. */
function checkResult(operation: Request['operation'], result: unknown): void {
  const { type, list } = operations[operation].returns;
  const isDone = type === 'Boolean' && !list ? result === true : result !== null && result !== undefined;
  if (isDone) return;
  const answer = result === false ? 'false: the change was not made' : 'neither a result nor an error';
  throw new CliError('GRAPHQL', `The service answered ${operation} with ${answer}.`, {
    operation,
    hint: 'Check the current state before you try again.',
  });
}

export function idIn(result: unknown): string | null {
  return isObject(result) && typeof result.id === 'string' ? result.id : null;
}
