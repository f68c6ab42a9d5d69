import { Unzip, UnzipPassThrough, Zip, ZipDeflate } from "fflate";
const END = "</worksheet>";
async function* withFilter(uncompressed, rangeOf) {
  const written = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    written.push(chunk);
  });
  const unzip = new Unzip((file) => {
    const copy = new ZipDeflate(file.name);
    const sheet = /^xl\/worksheets\/sheet(\d+)\.xml$/.exec(file.name)?.[1];
    const filter = sheet === void 0 ? null : () => `<autoFilter ref="${rangeOf(Number(sheet) - 1)}"/>`;
    const put = filter === null ? copy.push.bind(copy) : beforeEnd(filter, (bytes, last) => copy.push(bytes, last));
    zip.add(copy);
    file.ondata = (error, bytes, last) => {
      if (error) throw error;
      put(bytes, last);
    };
    file.start();
  });
  unzip.register(UnzipPassThrough);
  for await (const chunk of uncompressed) {
    unzip.push(chunk);
    yield* written.splice(0);
  }
  unzip.push(new Uint8Array(), true);
  zip.end();
  yield* written.splice(0);
}
function beforeEnd(filter, put) {
  let kept = Buffer.alloc(0);
  return (bytes, last) => {
    const all = Buffer.concat([kept, bytes]);
    kept = all.subarray(Math.max(0, all.length - END.length));
    put(all.subarray(0, all.length - kept.length), false);
    if (!last) return;
    if (kept.toString() !== END) throw new Error("The sheet of a workbook has another end than expected.");
    put(Buffer.from(filter() + END), true);
  };
}
export {
  withFilter
};
