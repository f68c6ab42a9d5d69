import { offsetAt, zoneNamed } from "../../core/time-zone.js";
function localTime(moment, precision, { zone, offset }) {
  const own = offsetAt(moment, zone) || 0;
  return `${wallOf(moment, own, precision)}${own === offset ? "" : suffixOf(own)}`;
}
function localTimeOfDay(moment, zone) {
  const own = offsetAt(moment, zone);
  return `${wallOf(moment, own, "second").slice(-8)}${suffixOf(own)}`;
}
function localDate(moment, zone) {
  return wallOf(moment, offsetAt(moment, zone), "minute").replace(/ .*$/, "");
}
function offsetName(offset) {
  return offset === 0 ? "UTC" : `UTC${signed(offset)}`;
}
function zoneInHeading(heading) {
  const [, name = "", inBrackets] = /^(.*?) *\(([\w/:+-]+)\)$/.exec(heading) ?? [];
  if (inBrackets === void 0) return null;
  const offset = /^UTC(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(inBrackets);
  if (!offset) {
    const zone = zoneNamed(inBrackets);
    return zone === void 0 ? null : { name, zone };
  }
  const [, sign, hours = "0", minutes = "0", seconds = "0"] = offset;
  const distance = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1e3;
  return { name, zone: sign === "-" ? -distance : distance };
}
function commonOffset(moments, zone) {
  let common = null;
  for (const moment of moments) {
    const offset = offsetAt(moment, zone);
    if (common !== null && common !== offset) return null;
    common = offset;
  }
  return common;
}
const LAST_MOMENT = 864e13;
function wallOf(moment, offset, precision) {
  const wall = new Date(Math.max(-LAST_MOMENT, Math.min(LAST_MOMENT, moment + offset))).toISOString();
  return wall.replace("T", " ").replace(ends[precision], "");
}
const ends = { minute: /:\d\d\.\d+Z$/, second: /\.\d+Z$/, exact: /(\.000)?Z$/ };
function suffixOf(offset) {
  return offset === 0 ? "Z" : signed(offset);
}
function signed(offset) {
  const seconds = Math.round(Math.abs(offset) / 1e3);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[2] === 0 ? parts.slice(0, 2) : parts;
  return `${offset < 0 ? "-" : "+"}${shown.map((part) => String(part).padStart(2, "0")).join(":")}`;
}
export {
  commonOffset,
  localDate,
  localTime,
  localTimeOfDay,
  offsetName,
  zoneInHeading
};
