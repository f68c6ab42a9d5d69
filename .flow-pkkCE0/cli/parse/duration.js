const factors = { ms: 1, s: 1e3, m: 6e4, h: 36e5, d: 864e5 };
function parseDuration(text, defaultUnit) {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim());
  const factor = factors[match?.[2] ?? defaultUnit];
  if (!match || factor === void 0) return null;
  const milliseconds = Math.round(Number(match[1]) * factor);
  return Number.isSafeInteger(milliseconds) ? milliseconds : null;
}
export {
  parseDuration
};
