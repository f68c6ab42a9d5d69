import { LONGEST_LOOK_BACK_DAYS } from "../../../telemetry/visits/past-positions.js";
import { refusal } from "../../errors/cli-error.js";
import { readTime } from "../../parse/time.js";
import { namesText } from "../../views/humanize.js";
function pastTime(run, text) {
  const time = readTime(run, text, "--at");
  if (time.lastMoment === null) return time;
  throw refusal(`--at "${text}" is more than a moment.`, {
    hint: 'Give a day with a time, such as --at "yesterday 09:00", or a distance, such as --at -2h.'
  });
}
async function positionsAt(context, client, vehicles, moment) {
  const { readPastPositions } = await import("../../connection/past-positions.js");
  const found = await readPastPositions(context, client, vehicles, moment);
  if (found.unknown.length > 0) {
    const names = namesText(found.unknown.map(({ name }) => name));
    context.report.warn(
      `Unknown at that time: ${names}, without a position in the ${LONGEST_LOOK_BACK_DAYS} days before.`
    );
  }
  return found;
}
export {
  pastTime,
  positionsAt
};
