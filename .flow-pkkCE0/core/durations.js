const TIME_UNITS = [
  { name: "d", ms: 864e5 },
  { name: "h", ms: 36e5 },
  { name: "min", ms: 6e4 },
  { name: "s", ms: 1e3 }
];
function durationText(ms, units = TIME_UNITS.length) {
  if (Math.round(ms) < 1e3) return `${Math.round(ms)} ms`;
  let left = Math.round(ms / 1e3) * 1e3;
  const largest = TIME_UNITS.findIndex((unit) => left >= unit.ms);
  return TIME_UNITS.slice(largest, largest + units).flatMap((unit) => {
    const count = Math.floor(left / unit.ms);
    left %= unit.ms;
    return count > 0 ? `${count} ${unit.name}` : [];
  }).join(" ");
}
export {
  TIME_UNITS,
  durationText
};
