import { connect } from "../../connection/connect.js";
import { CliError } from "../../errors/cli-error.js";
import { findId } from "../../find/record.js";
import { change } from "../../plan/change.js";
import { referenceTo } from "../../plan/change-spec.js";
import { customFieldInput, explainRefusal, fieldSubject, slipInField } from "../../plan/custom-field.js";
import { addChangeFlags } from "../../plan/flags.js";
import { customFieldView } from "../../views/custom-field.js";
function defineSetField(noun, open, setter) {
  const command = noun.command("set-field").description(setter.description).argument(...setter.argument).argument("[name]", `name of the field, as in \`${setter.listVerb}\``).argument("[value]", 'new value; an empty one, "", clears the field');
  addChangeFlags(command, { several: setter.several !== void 0 });
  setter.several?.addFlags(command);
  command.addHelpText("after", setter.help).action((first, second, third, flags) => {
    const context = open();
    const isByFlags = third === void 0 && (setter.several?.areChosen(context, flags) ?? false);
    const typed = isByFlags ? { record: void 0, name: first, value: second } : { record: first, name: second, value: third };
    return setField(context, setter, typed, flags);
  });
}
async function setField(context, setter, { record, name, value }, flags) {
  const records = record === void 0 ? [] : [record];
  const { typed, chosen } = setter.several?.named(context, records, flags) ?? { typed: record };
  try {
    await change(context, flags, {
      operation: setter.kind.field,
      subject: fieldSubject(setter.kind),
      references: [referenceTo(setter.kind, typed)],
      ...customFieldInput(name, value),
      contradiction: (input, { records: records2 }) => {
        const rows = [...records2.values()].map(({ row }) => row);
        const slip = slipInField(context.report, String(input.name), setter.kind.noun, rows);
        return slip && new CliError("NOT_FOUND", slip.problem, { undone: "sent", hint: slip.hint });
      },
      chosen,
      display: {
        view: customFieldView,
        present: ({ variables }) => ({ name: null, value: null, ...Object(variables.field) })
      }
    });
  } catch (error) {
    if (record === void 0 || name === void 0 || flags.dryRun) throw error;
    throw await explainRefusal(context, error, name, () => fieldNames(context, setter, record));
  }
}
async function fieldNames(context, { kind, read }, record) {
  const client = await connect(context);
  const id = await findId(context, client, kind, record, { substring: false });
  const fields = await read(client, id, { signal: context.io.signal });
  return fields.flatMap(({ name }) => name ?? []);
}
export {
  defineSetField
};
