// Adds filter buttons to the headings of a workbook while it is written, and compresses it. Remove
// this file when the writer can do this (hucre's pull request 571); version 1.0.0 cannot.
import { Unzip, UnzipPassThrough, Zip, ZipDeflate } from 'fflate';

const END = '</worksheet>';

/**
 * Returns the compressed workbook with filters. `rangeOf` is called after the rows of a sheet (from
 * 0), and returns the cells of its filter, such as `A1:F40`.
 */
export async function* withFilter(
  uncompressed: AsyncIterable<Uint8Array>,
  rangeOf: (sheet: number) => string,
): AsyncGenerator<Uint8Array, void> {
  const written: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    written.push(chunk);
  });
  const unzip = new Unzip((file) => {
    const copy = new ZipDeflate(file.name);
    const sheet = /^xl\/worksheets\/sheet(\d+)\.xml$/.exec(file.name)?.[1];
    const filter = sheet === undefined ? null : () => `<autoFilter ref="${rangeOf(Number(sheet) - 1)}"/>`;
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

/** Returns a writer that inserts the filter before the end tag, holding back the last bytes. */
function beforeEnd(filter: () => string, put: (bytes: Uint8Array, last: boolean) => void) {
  let heldBack = Buffer.alloc(0);
  return (bytes: Uint8Array, last: boolean) => {
    const all = Buffer.concat([heldBack, bytes]);
    heldBack = all.subarray(Math.max(0, all.length - END.length));
    put(all.subarray(0, all.length - heldBack.length), false);
    if (!last) return;
    if (heldBack.toString() !== END) throw new Error('The sheet of a workbook has another end than expected.');
    put(Buffer.from(filter() + END), true);
  };
}
