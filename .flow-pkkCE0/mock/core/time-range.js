const earliest = Date.parse("0001-01-01T00:00:00.000Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");
const timeRangeText = "from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999Z";
function isRepresentableTime(time) {
  return typeof time === "number" && time >= earliest && time <= latest;
}
function clampTime(time) {
  return Math.min(Math.max(time, earliest), latest);
}
export {
  clampTime,
  isRepresentableTime,
  timeRangeText
};
