function retryAfterOf({ headers }) {
  const text = headers.get("retry-after");
  const until = dateIn(text ?? "");
  const from = Date.parse(headers.get("date") ?? "");
  return until === null || Number.isNaN(from) ? text : String(Math.max(0, (until - from) / 1e3));
}
function retryAfterMs(text, wallTime) {
  if (text === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Number(text) * 1e3;
  const until = dateIn(text);
  return until === null ? null : Math.max(0, until - wallTime);
}
function dateIn(text) {
  const date = /^\s*[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : date;
}
export {
  retryAfterMs,
  retryAfterOf
};
