// How large the parts of a ZIP archive are when they are unpacked, by its directory. A reader that unpacks each part into as much room as the
// directory says takes no more memory than that.

const END_OF_DIRECTORY = 0x06054b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 65_535;
const ENTRY_BYTES = 46;
/** In their place an archive of another form (ZIP64) has the numbers elsewhere: one that is larger than 4 GB, or has more parts. */
const ELSEWHERE = { size: 0xffffffff, count: 0xffff } as const;

/** In bytes; Infinity for an archive of more than 4 GB, null for a directory that cannot be read. */
export function unpackedSize(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOfDirectory(view);
  if (end === null) return null;
  const count = view.getUint16(end + 8, true);
  let at = view.getUint32(end + 16, true);
  if (count === ELSEWHERE.count || at === ELSEWHERE.size) return Number.POSITIVE_INFINITY;
  let size = 0;
  for (let entry = 0; entry < count; entry++) {
    if (at + ENTRY_BYTES > view.byteLength) return null;
    const unpacked = view.getUint32(at + 24, true);
    if (unpacked === ELSEWHERE.size) return Number.POSITIVE_INFINITY;
    size += unpacked;
    // The name, extra fields and a comment follow.
    at += ENTRY_BYTES + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return size;
}

/** The last one: a comment may follow it. */
function endOfDirectory(view: DataView): number | null {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= 0 && at >= last - LONGEST_COMMENT; at--) {
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  }
  return null;
}
