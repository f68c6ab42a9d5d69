import { serviceNow } from "../../context/context.js";
import { formatOf } from "../../context/print.js";
import { progressOn } from "../../context/progress.js";
import { ReadShare } from "../../context/read-share.js";
import { localDate } from "../../time/local-time.js";
function tripProgress(run, { from, end }, noun, vehicles) {
  const progress = run.io.stdout.isTTY === true && !formatOf(run).forPeople ? null : progressOn(run);
  const share = new ReadShare({ from, to: Math.min(end, serviceNow(run)), vehicles: vehicles ?? 1 });
  const seen = /* @__PURE__ */ new Set();
  let count = 0;
  if (vehicles !== void 0) progress?.show(`reading ${vehicles} vehicles`);
  return {
    take({ vehicleId, lastSeenAt }) {
      count++;
      seen.add(vehicleId);
      const until = Date.parse(lastSeenAt);
      share.reach(vehicleId, until);
      const of = vehicles === void 0 ? "" : ` of ${seen.size} of ${vehicles} vehicles`;
      progress?.show(
        `${count} ${count === 1 ? noun : `${noun}s`}${of}, until ${localDate(until, run.zone.name)}, ${share.text}`
      );
    },
    reach: (vehicleId, moment) => share.reach(vehicleId, moment),
    clear: () => progress?.clear()
  };
}
async function* withProgress(progress, trips) {
  try {
    for await (const trip of trips) {
      progress.take(trip);
      yield trip;
    }
  } finally {
    progress.clear();
  }
}
export {
  tripProgress,
  withProgress
};
