// The list of a copy's files. A sync finds a lost or changed file before it builds on the others.
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, isObject, SyncTargetError } from 'fleet-telematics/kit';
import type { CopyFiles } from './files.js';
import { type FileEnd, type FileState, fileOf, type PublishedStates, type TablePlace } from './layout.js';

export const MANIFEST = 'manifest.json';

/** Footers of large files have megabytes, but their ends differ when any row group does. */
const END_BYTES = 64 * 1024;
const NAMED_FILES = 5;

export class Manifest {
  readonly #folder: string;
  readonly #files: Map<string, FileState>;

  private constructor(folder: string, files: Map<string, FileState>) {
    this.#folder = folder;
    this.#files = files;
  }

  /** Returns the manifest of the folder, by default one of the existing files. */
  static of(files: CopyFiles): Manifest {
    const there = () => files.places().map((place) => [fileOf(place), foundState(files, place)] as const);
    return new Manifest(files.folder, readManifest(files.folder) ?? new Map(there()));
  }

  get text(): string {
    const files = [...this.#files].sort(([one], [other]) => (one < other ? -1 : 1));
    return `${JSON.stringify({ files: Object.fromEntries(files) }, null, 1)}\n`;
  }

  /** Null removes the file. */
  set(file: string, state: FileState | null): void {
    if (state === null) this.#files.delete(file);
    else this.#files.set(file, state);
  }

  /**
   * Compares the files of the folder with the manifest.
   * @param published States that a killed sync was giving to files. Each may have been reached, or
   * not.
   * @throws {SyncTargetError} FAILED when a file is missing, changed or unexpected.
   */
  check(name: string, files: CopyFiles, published: PublishedStates): void {
    const there = files.places().map(fileOf);
    const problems = [...new Set([...this.#files.keys(), ...published.keys(), ...there])].sort().flatMap((file) => {
      const listed = this.#files.get(file) ?? null;
      const found = endOf(join(this.#folder, file));
      if ([listed, ...(published.get(file) ?? [])].some((state) => isSameEnd(state, found))) return [];
      return `${file} ${found === null ? 'is missing' : listed === null ? 'was added' : 'was changed'}`;
    });
    if (problems.length > 0) throw asLost(name, problems);
  }
}

export function fileStateOf(path: string, rows: number): FileState {
  const { bytes = 0, footer = '' } = endOf(path) ?? {};
  return { rows, bytes, footer };
}

function foundState(files: CopyFiles, place: TablePlace): FileState {
  const file = files.open(place);
  try {
    return fileStateOf(join(files.folder, fileOf(place)), file?.rows ?? 0);
  } finally {
    file?.close();
  }
}

function endOf(path: string): FileEnd | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    const { size } = fstatSync(file);
    const end = Buffer.alloc(Math.min(size, END_BYTES));
    readSync(file, end, 0, end.length, size - end.length);
    return { bytes: size, footer: createHash('sha256').update(end).digest('hex').slice(0, 32) };
  } finally {
    closeSync(file);
  }
}

function isSameEnd(one: FileEnd | null, other: FileEnd | null): boolean {
  return one?.bytes === other?.bytes && one?.footer === other?.footer;
}

function readManifest(folder: string): Map<string, FileState> | null {
  let text: string;
  try {
    text = readFileSync(join(folder, MANIFEST), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    const { files }: { readonly files?: unknown } = JSON.parse(text);
    if (isObject(files) && Object.values(files).every(isFileState))
      return new Map(Object.entries(files as Record<string, FileState>));
  } catch {
    // Reported below.
  }
  const hint = `Put ${MANIFEST} back from a backup. Without one, delete it: the next sync takes the files that are there.`;
  throw new SyncTargetError('FAILED', `${join(folder, MANIFEST)} is no list of files that a sync has written.`, hint);
}

function isFileState(value: unknown): value is FileState {
  return isObject(value) && typeof value.bytes === 'number' && typeof value.footer === 'string';
}

function asLost(name: string, problems: readonly string[]): SyncTargetError {
  const named = problems.slice(0, NAMED_FILES).join(', ');
  const others = problems.length > NAMED_FILES ? `, and ${problems.length - NAMED_FILES} more` : '';
  return new SyncTargetError(
    'FAILED',
    `The files of the copy ${name} are not those that the last sync has left: ${named}${others}. Nothing was changed.`,
    `Put the files back from a backup. Without one, delete ${MANIFEST} in the folder, and files that were changed or added; then a sync with a --since before the begin of the copy reads all trips and snapshots again.`,
  );
}
