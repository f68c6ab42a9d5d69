// Stands in for globals and meta properties in the bundle of the command line. esbuild puts what a file uses into that file.

/** `import.meta.url`: made into text when it is the base of a URL, because few commands load a file, and each would load node:url. */
export const fileUrl = { toString: () => require('node:url').pathToFileURL(__filename).href };

const begun = /* @__PURE__ */ process.hrtime();

/** `performance.now`, which loads Node's histograms and observers: as long as a command takes to read its configuration. */
export function elapsedMs() {
  const [seconds, nanoseconds] = process.hrtime(begun);
  return seconds * 1e3 + nanoseconds / 1e6;
}
