import { durationText } from "fleet-telematics/kit";
const LEAST_FRACTION = 0.02;
const LEAST_MS = 2e3;
function progressTexts(now) {
  let begun = now();
  return ({ part, rows, fraction, isDone }) => {
    const ms = now() - begun;
    if (isDone) begun = now();
    const rate = ms > 0 ? `, ${Math.round(rows / (ms / 1e3))} rows/s` : "";
    const tells = fraction > LEAST_FRACTION && fraction < 1 && ms > LEAST_MS;
    const left = tells ? `, about ${durationText(rounded(ms / fraction * (1 - fraction)), 2)} left` : "";
    return `${part}: ${rows} rows${rate}, ${Math.floor(fraction * 100)} %${left}`;
  };
}
function rounded(ms) {
  return ms < 9e4 ? Math.ceil(ms / 1e3) * 1e3 : Math.round(ms / 6e4) * 6e4;
}
export {
  progressTexts
};
