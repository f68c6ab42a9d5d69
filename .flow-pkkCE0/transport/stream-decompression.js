import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { UNKNOWN_ENCODING } from "../core/network-errors.js";
const OPTIONS = { chunkSize: 64 * 1024 };
function decoderFor(contentEncoding, first, onBytes) {
  const names = (contentEncoding ?? "").split(",").map((name) => name.trim().toLowerCase()).filter((name) => name !== "" && name !== "identity").reverse();
  if (names.length === 0) return { write: onBytes, end: async () => void 0, discard: () => void 0 };
  const hasZlibHeader = ((first[0] ?? 0) & 15) === 8;
  const steps = names.map((name, at) => transformOf(name, at > 0 || hasZlibHeader));
  const transforms = steps.flatMap((step) => step ? [step] : []);
  const [head] = transforms;
  if (!head || transforms.length < steps.length) return unknownEncoding();
  return decoderOf(head, transforms, onBytes);
}
function decoderOf(head, steps, onBytes) {
  const discard = () => {
    for (const step of steps) step.destroy();
  };
  const ended = new Promise((resolve, reject) => {
    for (const [at, step] of steps.entries()) {
      const next = steps[at + 1];
      step.on("error", reject);
      if (next) step.pipe(next);
      else step.on("data", onBytes).on("end", resolve);
    }
  });
  ended.catch(discard);
  return {
    write(chunk) {
      if (!head.destroyed) head.write(chunk);
    },
    end() {
      if (!head.destroyed) head.end();
      return ended;
    },
    discard
  };
}
function transformOf(name, hasZlibHeader) {
  switch (name) {
    case "gzip":
    case "x-gzip":
      return createGunzip(OPTIONS);
    case "br":
      return createBrotliDecompress(OPTIONS);
    case "deflate":
      return hasZlibHeader ? createInflate(OPTIONS) : createInflateRaw(OPTIONS);
    default:
      return null;
  }
}
function unknownEncoding() {
  const end = () => Promise.reject(unknownEncodingError());
  return { write: () => void 0, end, discard: () => void 0 };
}
function unknownEncodingError() {
  return Object.assign(new Error("The answer has a content-encoding that was not asked for."), {
    code: UNKNOWN_ENCODING
  });
}
export {
  decoderFor
};
