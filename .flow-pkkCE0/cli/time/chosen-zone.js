import { closestNames } from "../../core/suggestions.js";
import { isMissingZone, zoneNamed, zoneOf } from "../../core/time-zone.js";
import { refusal } from "../errors/cli-error.js";
function zoneName({ name }) {
  return name ?? new Intl.DateTimeFormat("en").resolvedOptions().timeZone;
}
function chosenZone({ timeZone }, env) {
  if (timeZone !== void 0) return { name: requireZone(timeZone, "--time-zone"), isByFlag: true };
  const preset = env.FLEET_TIME_ZONE;
  if (preset) return { name: requireZone(preset, "FLEET_TIME_ZONE"), isByFlag: false };
  const { TZ } = env;
  if (TZ && isMissingZone(TZ)) requireZone(TZ.replace(/^:/, ""), "TZ");
  return { name: zoneOf(TZ), isByFlag: false };
}
function requireZone(text, where) {
  const zone = zoneNamed(text.trim());
  if (zone !== void 0) return zone;
  const all = Intl.supportedValuesOf("timeZone");
  const city = text.trim().toLowerCase().replaceAll(" ", "_");
  const ofCity = all.filter((name) => name.toLowerCase().endsWith(`/${city}`));
  const near = ofCity.length > 0 ? ofCity : closestNames(text, all);
  throw refusal(`${where} "${text}" is not a time zone.`, {
    hint: near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "Write it as Europe/Tallinn, America/New_York or UTC."
  });
}
export {
  chosenZone,
  zoneName
};
