import { appendFileSync, chmodSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { copyToBackup } from "../../core/corrupt-file-backup.js";
import { errorCode } from "../../core/error-code.js";
import { Journal } from "../../core/journal.js";
import { makeFolder } from "../../core/make-folder.js";
import { acquireFreeLease, leaseHolder } from "../../locks/lease.js";
import { CliError } from "../errors/cli-error.js";
import { refusedFile } from "../errors/unusable.js";
import {
  WATCH_VERSION,
  WatchKnowledge
} from "./watch-records.js";
const COMPACT_BYTES = 4 * 1024 * 1024;
const COMPACT_FACTOR = 4;
class WatchFile {
  knowledge = new WatchKnowledge();
  /** Returns true for a folder without an earlier watch. */
  isNew;
  /** The bytes that could not be read, and the copy of the damaged file. */
  damage;
  #folder;
  #owner;
  #lease;
  #isLost;
  #journal;
  #compactAt = 0;
  constructor(folder, owner, lease, isLost) {
    this.#folder = folder;
    this.#owner = owner;
    this.#lease = lease;
    this.#isLost = isLost;
    const records = [];
    let damagedBytes = 0;
    let backup = null;
    this.#journal = new Journal(
      this.#path,
      // Only this class writes the file, and each record has a checksum.
      ({ head }) => records.push(head),
      {
        readOnly: false,
        onDamage: ({ bytes }) => {
          backup ??= copyToBackup(this.#path);
          damagedBytes += bytes;
          return true;
        }
      }
    );
    this.damage = backup === null ? null : { bytes: damagedBytes, backup };
    const owned = records.find((record) => record.kind === "owner");
    if (owned) checkOwner(owned, owner, folder);
    this.isNew = owned === void 0;
    if (owned) for (const record of records) this.knowledge.take(record);
    this.#compact();
  }
  /** @throws CliError when another watch uses the folder, or it belongs to another service or user */
  static async open(folder, owner, wait) {
    try {
      makeFolder(folder);
      chmodSync(folder, 448);
    } catch (error) {
      throw refusedFile(`folder ${folder} of the watch`, "written", error);
    }
    let isLost = false;
    const lock = join(folder, "watch.lock");
    const lease = await acquireFreeLease(lock, {
      ...wait,
      onLost: () => {
        isLost = true;
      }
    });
    if (lease === null) throw inUse(folder, leaseHolder(lock)?.pid ?? null);
    try {
      return new WatchFile(folder, owner, lease, () => isLost);
    } catch (error) {
      lease.release();
      throw unwritable(folder, error);
    }
  }
  /** Stores a record on the disk. @throws CliError when there is no space left for it */
  write(record) {
    if (this.#isLost()) {
      throw new CliError("UNEXPECTED", `Another watch has taken over the folder ${this.#folder}.`, {
        hint: "This happens when the machine sleeps for long. What this watch has found is in the folder; nothing is lost."
      });
    }
    this.knowledge.take(record);
    this.#save(() => {
      this.#journal.append(record, []);
      if (this.#journal.size > this.#compactAt) this.#compact();
    });
  }
  /** Adds an event to the dead letters, for people. */
  park(receiver, event, reason) {
    const line = `${JSON.stringify({ receiver, reason, event })}
`;
    this.#save(() => appendFileSync(this.deadLetters, line, { mode: 384 }));
  }
  get deadLetters() {
    return join(this.#folder, "dead-letters.ndjson");
  }
  close() {
    this.#journal.close();
    this.#lease.release();
  }
  get #path() {
    return join(this.#folder, "watch.journal");
  }
  #save(write) {
    try {
      write();
    } catch (error) {
      throw unwritable(this.#folder, error);
    }
  }
  #compact() {
    const next = `${this.#path}.next`;
    rmSync(next, { force: true });
    const journal = new Journal(next, () => void 0, { readOnly: false });
    journal.appendAll(this.knowledge.records(this.#owner));
    this.#compactAt = Math.max(COMPACT_BYTES, journal.size * COMPACT_FACTOR);
    journal.close();
    this.#journal.close();
    renameSync(next, this.#path);
    this.#journal = new Journal(this.#path, () => void 0, { readOnly: false });
  }
}
function checkOwner(record, owner, folder) {
  if (record.version !== WATCH_VERSION) {
    throw new CliError("CONFIGURATION", `The watch in ${folder} was written by another version of fleet.`, {
      hint: "Deliver its events with that version, then delete its watch.journal; or give another folder with --state."
    });
  }
  if (record.owner === owner) return;
  throw new CliError("CONFIGURATION", `The watch in ${folder} belongs to another service or user.`, {
    hint: "Give this one a folder of its own: --state <folder>."
  });
}
function unwritable(folder, error) {
  if (!["ENOSPC", "EDQUOT", "EFBIG"].includes(errorCode(error) ?? "")) return error;
  return new CliError("UNEXPECTED", `There is no space left for the folder ${folder} of the watch.`, {
    hint: "Free some space, and start the watch again with --since last. Nothing is lost: events that are not stored are found again.",
    cause: error
  });
}
function inUse(folder, pid) {
  const who = pid === null ? "" : ` (process ${pid})`;
  return new CliError("CONFIGURATION", `Another watch${who} uses the folder ${folder}.`, {
    undone: "sent",
    hint: "End it first, or give this one a folder of its own: --state <folder>."
  });
}
export {
  WatchFile
};
