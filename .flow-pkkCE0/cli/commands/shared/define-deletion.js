import { change } from "../../plan/change.js";
import { referenceTo } from "../../plan/change-spec.js";
import { addChangeFlags } from "../../plan/flags.js";
import { named } from "../../plan/several.js";
function defineDeletion(noun, open, { kind, names: texts, filters, help }) {
  const command = noun.command("delete").description(`delete ${kind.plural} (${kind.remove})`).argument(`[${kind.placeholder}...]`, `${texts}${filters ? "; leave out with --filter" : ""}`);
  addChangeFlags(command, { input: false, several: true });
  command.addHelpText("after", help).action((names, flags) => {
    const context = open();
    const { typed, chosen } = named(context, flags, names, kind, { filters });
    return change(context, flags, {
      operation: kind.remove,
      subject: { kind, action: "delete" },
      input: null,
      references: [referenceTo(kind, typed)],
      chosen,
      flags: {},
      display: { deleted: kind.noun }
    });
  });
}
export {
  defineDeletion
};
