// Replaces globals and meta properties in the command line's bundle. esbuild adds the used ones.

/** `import.meta.url`, computed on use: few commands load a file, and node:url is slow to load. */
export const fileUrl = { toString: () => require('node:url').pathToFileURL(__filename).href };

const begun = /* @__PURE__ */ process.hrtime();

/** `performance.now`, which would load Node's histograms: as slow as reading the configuration. */
export function elapsedMs() {
  const [seconds, nanoseconds] = process.hrtime(begun);
  return seconds * 1e3 + nanoseconds / 1e6;
}
