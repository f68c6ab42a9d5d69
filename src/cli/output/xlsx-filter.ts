// Puts the arrows of a filter on the headings of a workbook that is being written. The writer of version 1.0.0 knows no filters when it
// streams; once it does (hucre's pull request 571), this file can go. The archive is written without compression, and compressed here.
import { Unzip, UnzipPassThrough, Zip, ZipDeflate } from 'fflate';

const END = '</worksheet>';

/** @param rangeOf The cells of the filter, from the headings to the last row: `A1:F40`. It is asked when the sheet, from 0, has its rows. */
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

/** Passes bytes on, and keeps as many back as the end has. */
function beforeEnd(filter: () => string, put: (bytes: Uint8Array, last: boolean) => void) {
  let kept = Buffer.alloc(0);
  return (bytes: Uint8Array, last: boolean) => {
    const all = Buffer.concat([kept, bytes]);
    kept = all.subarray(Math.max(0, all.length - END.length));
    put(all.subarray(0, all.length - kept.length), false);
    if (!last) return;
    if (kept.toString() !== END) throw new Error('The sheet of a workbook has another end than expected.');
    put(Buffer.from(filter() + END), true);
  };
}
