import { randomUUID } from "node:crypto";
import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { Writable } from "node:stream";
import { errorCode } from "../../core/error-code.js";
import { refusal } from "../errors/cli-error.js";
function fileOutput(file) {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw refusal(`--output-file ${file} is a folder.`, { hint: "Name a file in it." });
  }
  const temporary = `${file}.tmp-${randomUUID()}`;
  let opened = attempt(file, () => openSync(temporary, "wx"));
  const close = () => {
    if (opened !== null) closeSync(opened);
    opened = null;
  };
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      try {
        for (let at = 0; opened !== null && at < chunk.length; ) at += writeSync(opened, chunk, at);
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    }
  });
  stdout.on("error", () => void 0);
  return {
    stdout,
    finish() {
      close();
      attempt(file, () => renameSync(temporary, file));
    },
    discard() {
      close();
      rmSync(temporary, { force: true });
    }
  };
}
function attempt(file, act) {
  try {
    return act();
  } catch (error) {
    throw refusal(`--output-file ${file} cannot be written (${errorCode(error) ?? "unknown error"}).`, {
      hint: "Check its folder and who may write there."
    });
  }
}
export {
  fileOutput
};
