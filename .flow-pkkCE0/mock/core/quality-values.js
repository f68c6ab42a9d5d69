function parseQualityValues(header) {
  return (header ?? "").toLowerCase().split(",").map((part) => {
    const [value = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    return { value, quality: quality === void 0 ? 1 : Number(quality) || 0 };
  });
}
export {
  parseQualityValues
};
