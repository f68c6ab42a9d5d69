function trustOptions({ ca }) {
  if (ca === void 0) return {};
  return { ca: typeof ca === "string" || Buffer.isBuffer(ca) ? ca : [...ca] };
}
export {
  trustOptions
};
