import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from "node:zlib";
import { parseQualityValues } from "../core/quality-values.js";
const minBodyLength = 1024;
const brotli = () => ({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const gzip = { level: 1 };
function preferredEncoding(header) {
  const qualities = new Map(parseQualityValues(header).map(({ value, quality }) => [value, quality]));
  const qualityOf = (encoding) => qualities.get(encoding) ?? qualities.get("*") ?? 0;
  if (qualityOf("gzip") <= 0 && qualityOf("br") <= 0) return null;
  return qualityOf("br") > qualityOf("gzip") ? "br" : "gzip";
}
function compress(body, encoding) {
  if (body.length < minBodyLength) return null;
  return encoding === "br" ? brotliCompressSync(body, brotli()) : gzipSync(body, gzip);
}
function compressionStream(encoding) {
  return encoding === "br" ? createBrotliCompress(brotli()) : createGzip(gzip);
}
export {
  compress,
  compressionStream,
  preferredEncoding
};
