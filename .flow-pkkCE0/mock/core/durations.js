const minuteMs = 6e4;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
export {
  dayMs,
  hourMs,
  minuteMs,
  weekMs
};
