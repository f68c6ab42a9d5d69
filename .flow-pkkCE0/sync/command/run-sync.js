import { CliError, note, vehicleFailureReason } from "fleet-telematics/kit/command";
import { isOfVehicles } from "../parts.js";
import { progressTexts } from "./progress-text.js";
import { rethrowWith } from "./target.js";
async function* syncRows(run, { sdk, fleet, target, options, progress }) {
  const done = [];
  let isEnded = false;
  let wake = () => {
  };
  const describe = progressTexts(() => performance.now());
  const stopped = new AbortController();
  const running = sdk.syncFleet(fleet, target, {
    ...options,
    signal: AbortSignal.any([run.io.signal, stopped.signal]),
    onProgress: (told) => {
      const text = describe(told);
      if (!told.isDone) progress.show(text);
    },
    onTable: (table) => {
      done.push(table);
      wake();
    }
  }).finally(() => {
    isEnded = true;
    wake();
  });
  running.catch(() => void 0);
  try {
    while (!isEnded || done.length > 0) {
      const next = done.shift();
      if (next) {
        progress.clear();
        yield next;
      } else {
        await new Promise((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    progress.clear();
    stopped.abort();
    await running.catch(() => void 0);
  }
  const { failures, warnings, deleted } = await running.catch(rethrowWith(sdk));
  if (deleted !== null && deleted.trips + deleted.stops + deleted.snapshots > 0) note(run, deletedText(deleted));
  for (const { message } of warnings) run.report.warn(message);
  if (failures.length > 0) throw incomplete(failures);
}
function deletedText({ before, trips, stops, snapshots }) {
  return `Deleted what ended before ${before}: ${trips} rows of trips and their parts, ${stops} of stops, ${snapshots} of snapshots.`;
}
const hints = {
  unread: "The next sync reads what is missing.",
  undeleted: "Look at what the service answers first, for example with `fleet vehicles list`.",
  unstored: "Mend these records at the service; until then each sync tells them again."
};
function incomplete(failures) {
  const details = failures.map(({ kind, part, vehicleId, error }) => {
    const message = kind === "unread" ? vehicleFailureReason(error) : error.message;
    return `${part}${vehicleId === null ? "" : ` of vehicle ${vehicleId}`}: ${message}`;
  });
  const kinds = new Set(failures.map(({ kind }) => kind));
  const count = failures.length;
  const what = kinds.size === 1 && kinds.has("unread") ? `${count === 1 ? "One part" : `${count} parts`} of the fleet could not be read.` : `The copy is not the whole fleet, for ${count === 1 ? "this reason" : `these ${count} reasons`}.`;
  const hint = ["undeleted", "unstored", "unread"].filter((kind) => kinds.has(kind)).map((kind) => hints[kind]);
  return new CliError("INCOMPLETE_STREAM", `${what} Everything else is in the copy.`, {
    details,
    hint: hint.join(" ")
  });
}
async function* plannedParts(run, { sdk, fleet, target, options }) {
  const preview = await sdk.previewSync(fleet, target, { ...options, signal: run.io.signal }).catch(rethrowWith(sdk));
  for (const part of preview.parts) {
    const periods = preview.periods.filter((period) => period.part === part);
    for (const { from, vehicles } of periods) yield { part, vehicles, from, to: preview.until };
    if (part === "trips" || part === "stops" || part === "snapshots") continue;
    yield { part, vehicles: isOfVehicles(part) ? preview.vehicles : null, from: null, to: null };
  }
}
export {
  plannedParts,
  syncRows
};
