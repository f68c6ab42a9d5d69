import { configFolder } from "../../core/config-folder.js";
import { errorCode } from "../../core/error-code.js";
import { now, serviceNow } from "../context/context.js";
import { CliError } from "../errors/cli-error.js";
import { wordsForJournal } from "./command-words.js";
import { appendLine, journalFolder, newEntryFile, numberOfEntry } from "./journal-folder.js";
import { withoutSecrets } from "./secrets.js";
function recorderOf(context, { undoes, part }) {
  const { author } = context.service;
  if (isOff(context.io.env) || author === null) return null;
  const folder = journalFolder(configFolder(context.io.env));
  const sentAt = () => new Date(serviceNow(context)).toISOString();
  const { command } = context;
  let isWritable = true;
  const attempt = (write) => {
    if (!isWritable) return;
    try {
      write();
    } catch (error) {
      isWritable = false;
      context.report.warn(
        `The journal in ${folder} could not be written (${errorCode(error) ?? "unknown reason"}): \`fleet undo\` does not know all of this change. FLEET_JOURNAL=off switches the journal off.`
      );
    }
  };
  let file = null;
  let steps = 0;
  return {
    number: () => file === null || !isWritable ? null : numberOfEntry(file),
    begin(intent) {
      const step = steps++;
      attempt(() => {
        const records = intent.records.map(withoutSecrets);
        if (file === null) {
          file = newEntryFile(folder);
          const hasSecret = records.some(({ changes }) => changes.some(({ isSecret }) => isSecret));
          const words = command ? wordsForJournal(command, context.globals.filter ?? [], hasSecret) : "";
          const head = { at: new Date(now(context)).toISOString(), ...author, command: words, undoes, part };
          appendLine(file, { journal: 1, ...head }, { isDurable: false });
        }
        appendLine(file, { step, at: sentAt(), ...intent, records }, { isDurable: true });
      });
      return (outcome) => attempt(() => {
        if (file !== null) appendLine(file, { step, at: sentAt(), ...outcome }, { isDurable: false });
      });
    }
  };
}
function isOff({ FLEET_JOURNAL: setting }) {
  if (setting === void 0 || setting === "" || setting === "on") return false;
  if (setting === "off") return true;
  throw new CliError("USAGE", `FLEET_JOURNAL is "${setting}", which is neither on nor off.`, {
    undone: "sent",
    hint: "Set it to off or on, or unset it."
  });
}
export {
  recorderOf
};
