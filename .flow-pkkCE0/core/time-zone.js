const DAY_MS = 864e5;
function momentAt(wall, zone) {
  const before = offsetAt(wall - DAY_MS, zone);
  const after = offsetAt(wall + DAY_MS, zone);
  const matching = [before, after].find((offset) => offsetAt(wall - offset, zone) === offset);
  return wall - (matching ?? before);
}
function isSkippedTime(wall, zone) {
  const moment = momentAt(wall, zone);
  return moment + offsetAt(moment, zone) !== wall;
}
function isSecondTime(moment, zone) {
  const own = offsetAt(moment, zone);
  return offsetAt(moment - DAY_MS, zone) > own && momentAt(moment + own, zone) !== moment;
}
function offsetAt(moment, zone) {
  if (zone === void 0) return -new Date(moment).getTimezoneOffset() * 6e4;
  if (zone === "UTC") return 0;
  const parts = formatOf(zone).formatToParts(moment);
  const part = (type) => Number(parts.find((candidate) => candidate.type === type)?.value ?? 0);
  const wall = /* @__PURE__ */ new Date(0);
  const isBeforeChrist = parts.some(({ type, value }) => type === "era" && value.startsWith("B"));
  wall.setUTCFullYear(isBeforeChrist ? 1 - part("year") : part("year"), part("month") - 1, part("day"));
  wall.setUTCHours(part("hour"), part("minute"), part("second"));
  return wall.getTime() - Math.floor(moment / 1e3) * 1e3;
}
const formats = /* @__PURE__ */ new Map();
function formatOf(zone) {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric"
  });
  formats.set(zone, made);
  return made;
}
function zoneOf(tz) {
  return tz ? zoneNamed(tz.replace(/^:?(posix\/|right\/)?/, "")) : void 0;
}
function isMissingZone(tz) {
  return /^:?[A-Za-z][A-Za-z_+-]*(\/[A-Za-z_+-]+)*$/.test(tz) && zoneOf(tz) === void 0 && !/^:?(localtime|Factory)$/.test(tz);
}
function zoneNamed(name) {
  try {
    return formatOf(name).resolvedOptions().timeZone;
  } catch {
    return void 0;
  }
}
export {
  DAY_MS,
  isMissingZone,
  isSecondTime,
  isSkippedTime,
  momentAt,
  offsetAt,
  zoneNamed,
  zoneOf
};
