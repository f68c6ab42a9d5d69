import { durationText } from "../../core/durations.js";
import { localTimeOfDay } from "../time/local-time.js";
function outageText({ since, message, waitMs }, zone) {
  return `! no answer since ${localTimeOfDay(since, zone)}, trying again in ${durationText(waitMs)}: ${message}`;
}
function recoveryText(outageMs) {
  return `! the service answers again, after ${durationText(outageMs)}`;
}
export {
  outageText,
  recoveryText
};
