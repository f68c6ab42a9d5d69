import { isObject } from "../../core/json.js";
import { operations } from "../../generated/operation-table.js";
import { answerBeside } from "../connection/allow-partial.js";
import { call } from "../connection/call.js";
import { handleWarning } from "../connection/handle-warning.js";
import { CliError } from "../errors/cli-error.js";
import { commandFailureOf, mayBeMade } from "../errors/exit-codes.js";
import { NewRecord, resolveIds } from "../records/new-record.js";
import { recordsOf } from "./plan.js";
class StepSender {
  #context;
  #client;
  #recorder;
  #created = /* @__PURE__ */ new Map();
  /** The new ids of restored records, by former id; null until they are known. */
  #renewed;
  constructor(context, client, recorder, steps) {
    this.#context = context;
    this.#client = client;
    this.#recorder = recorder;
    this.#renewed = new Map(steps.flatMap(({ record }) => record.formerId ? [[record.formerId, null]] : []));
  }
  /**
   * Sends the requests of a step. Returns the created record, or the last answer when nothing is
   * created.
   * @throws CliError AMBIGUOUS_MUTATION for a step that was interrupted after its first request
   */
  async send(step) {
    const { requests, creates } = step;
    const names = [...new Set(requests.map(({ operation }) => operation))];
    const records = recordsOf(this.withKnown(step));
    const end = this.#recorder?.begin({ operations: names, records }) ?? (() => void 0);
    const results = [];
    for (const request of requests) {
      try {
        results.push(await this.#sendOne(request));
      } catch (error) {
        const done = results.length;
        const id2 = creates ? idIn(results[0]) : null;
        end({ outcome: done > 0 || mayBeMade(error) ? "unknown" : "failed", ...id2 === null ? {} : { id: id2 } });
        throw done > 0 ? ofHalfDone(error, `${done} of the ${requests.length} requests`) : error;
      }
      const newId = creates && idIn(results[0]);
      if (newId) this.#created.set(creates, newId);
      if (newId && step.record.formerId) this.#renewed.set(step.record.formerId, newId);
    }
    const result = (creates ? results[0] : results.at(-1)) ?? null;
    const id = idIn(result);
    end({ outcome: "done", ...id === null ? {} : { id }, ...groupsIn(results) });
    return result;
  }
  async #sendOne({ operation, variables, idempotent, select }) {
    const { signal } = this.#context.io;
    const onWarning = (warning) => handleWarning(this.#context, warning);
    const known = resolveIds(variables, (id) => this.#idOf(id));
    const sent = call(this.#client, operation, known, { signal, onWarning, select, idempotent });
    const result = await sent.catch(
      (error) => Reflect.get(answerBeside(this.#context, error), operation)
    );
    checkResult(operation, result);
    return result;
  }
  /** Returns the step with the ids of records that earlier steps have created. */
  withKnown(step) {
    const { record, effects } = step;
    return {
      ...step,
      record: this.#withKnownIds(record),
      ...effects ? { effects: effects.map((effect) => this.#withKnownIds(effect)) } : {}
    };
  }
  /** Returns the record with the ids of created records, which undo compares with the service. */
  #withKnownIds(record) {
    const resolve = (id) => id instanceof NewRecord ? this.#created.get(id) ?? id.name : this.#renewed.get(id) ?? id;
    const { formerId, ...others } = record;
    const known = resolveIds(others, resolve);
    return formerId === void 0 ? known : { ...known, formerId };
  }
  #idOf(id) {
    const isNew = id instanceof NewRecord || this.#renewed.has(id);
    const known = id instanceof NewRecord ? this.#created.get(id) : this.#renewed.get(id);
    if (!isNew) return id;
    if (known) return known;
    const name = id instanceof NewRecord ? ` "${id.name}"` : ` a record, formerly ${id}`;
    throw new CliError("GRAPHQL", `It refers to${name}, which was not created.`, {
      undone: "sent",
      hint: "The same command tries both again."
    });
  }
}
function groupsIn(results) {
  const ids = (name) => results.filter(isObject).flatMap((result) => result[name] ?? []).filter((id) => typeof id === "string");
  const [joined, left] = [ids("addedGroupIds"), ids("removedGroupIds")];
  return { ...joined.length > 0 ? { joined } : {}, ...left.length > 0 ? { left } : {} };
}
function ofHalfDone(error, part) {
  const { code, message, details, hint, operation } = commandFailureOf(error, false);
  if (code === "ABORTED") {
    return new CliError("AMBIGUOUS_MUTATION", `Interrupted after ${part} of this change.`, { cause: error });
  }
  return new CliError(code, message, {
    details: [...details, `Before that, ${part} of this change succeeded.`],
    hint: hint ?? void 0,
    operation: operation ?? void 0,
    cause: error
  });
}
function checkResult(operation, result) {
  const { type, list } = operations[operation].returns;
  const isDone = type === "Boolean" && !list ? result === true : result !== null && result !== void 0;
  if (isDone) return;
  const answer = result === false ? "false: the change was not made" : "neither a result nor an error";
  throw new CliError("GRAPHQL", `The service answered ${operation} with ${answer}.`, {
    operation,
    hint: "Check the current state before you try again."
  });
}
function idIn(result) {
  return isObject(result) && typeof result.id === "string" ? result.id : null;
}
export {
  StepSender,
  idIn
};
