import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { errorCode, isObject, SyncTargetError } from "fleet-telematics/kit";
import { fileOf } from "./layout.js";
const MANIFEST = "manifest.json";
const END_BYTES = 64 * 1024;
const NAMED_FILES = 5;
class Manifest {
  #folder;
  #files;
  constructor(folder, files) {
    this.#folder = folder;
    this.#files = files;
  }
  /** Returns the manifest of the folder; without one, a manifest of the files that are there. */
  static of(files) {
    const there = () => files.places().map((place) => [fileOf(place), foundState(files, place)]);
    return new Manifest(files.folder, readManifest(files.folder) ?? new Map(there()));
  }
  /** The text of its file. */
  get text() {
    const files = [...this.#files].sort(([one], [other]) => one < other ? -1 : 1);
    return `${JSON.stringify({ files: Object.fromEntries(files) }, null, 1)}
`;
  }
  /** Null for a file that is removed. */
  set(file, state) {
    if (state === null) this.#files.delete(file);
    else this.#files.set(file, state);
  }
  /**
   * Compares the files of the folder with the manifest.
   *
   * @param published States that a killed sync was giving to files. Each may have been reached, or not.
   * @throws {SyncTargetError} FAILED when a file is missing, was changed, or is there and should not be.
   */
  check(name, files, published) {
    const there = files.places().map(fileOf);
    const problems = [.../* @__PURE__ */ new Set([...this.#files.keys(), ...published.keys(), ...there])].sort().flatMap((file) => {
      const listed = this.#files.get(file) ?? null;
      const found = endOf(join(this.#folder, file));
      if ([listed, ...published.get(file) ?? []].some((state) => isSameEnd(state, found))) return [];
      return `${file} ${found === null ? "is missing" : listed === null ? "was added" : "was changed"}`;
    });
    if (problems.length > 0) throw asLost(name, problems);
  }
}
function fileStateOf(path, rows) {
  const { bytes = 0, footer = "" } = endOf(path) ?? {};
  return { rows, bytes, footer };
}
function foundState(files, place) {
  const file = files.open(place);
  try {
    return fileStateOf(join(files.folder, fileOf(place)), file?.rows ?? 0);
  } finally {
    file?.close();
  }
}
function endOf(path) {
  let file;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
  try {
    const { size } = fstatSync(file);
    const end = Buffer.alloc(Math.min(size, END_BYTES));
    readSync(file, end, 0, end.length, size - end.length);
    return { bytes: size, footer: createHash("sha256").update(end).digest("hex").slice(0, 32) };
  } finally {
    closeSync(file);
  }
}
function isSameEnd(one, other) {
  return one?.bytes === other?.bytes && one?.footer === other?.footer;
}
function readManifest(folder) {
  let text;
  try {
    text = readFileSync(join(folder, MANIFEST), "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
  try {
    const { files } = JSON.parse(text);
    if (isObject(files) && Object.values(files).every(isFileState))
      return new Map(Object.entries(files));
  } catch {
  }
  const hint = `Put ${MANIFEST} back from a backup. Without one, delete it: the next sync takes the files that are there.`;
  throw new SyncTargetError("FAILED", `${join(folder, MANIFEST)} is no list of files that a sync has written.`, hint);
}
function isFileState(value) {
  return isObject(value) && typeof value.bytes === "number" && typeof value.footer === "string";
}
function asLost(name, problems) {
  const named = problems.slice(0, NAMED_FILES).join(", ");
  const others = problems.length > NAMED_FILES ? `, and ${problems.length - NAMED_FILES} more` : "";
  return new SyncTargetError(
    "FAILED",
    `The files of the copy ${name} are not those that the last sync has left: ${named}${others}. Nothing was changed.`,
    `Put the files back from a backup. Without one, delete ${MANIFEST} in the folder, and files that were changed or added; then a sync with a --since before the begin of the copy reads all trips and snapshots again.`
  );
}
export {
  MANIFEST,
  Manifest,
  fileStateOf
};
