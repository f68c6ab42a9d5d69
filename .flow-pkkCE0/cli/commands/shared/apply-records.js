import { wholeOf } from "../../connection/allow-partial.js";
import { call } from "../../connection/call.js";
import { connect } from "../../connection/connect.js";
import { refusal } from "../../errors/cli-error.js";
import { carryOut } from "../../plan/carry-out.js";
import { customFieldsIn, slipInField } from "../../plan/custom-field.js";
import { addApplyFlags, leftAlone, planHelp } from "../../plan/flags.js";
import { loadWanted } from "../../plan/load-wanted.js";
import { planRecords } from "../../plan/plan-file.js";
import { refer } from "../../plan/refer.js";
import { rowsIn } from "../../records/record-kind.js";
import { isMarkedDeleted } from "../../shape/deleted.js";
import { mapViewFor } from "../../shape/map-view.js";
import { namesText } from "../../views/humanize.js";
function defineApply(noun, open, spec, help) {
  const { plural, remove } = spec.kind;
  const command = noun.command("apply").description(
    spec.description ?? `make the ${plural} those of a file: create, change and, with --prune, delete; safe to run again`
  ).argument(
    "<file>",
    spec.file ?? `csv, xlsx, tsv, JSON or YAML with the columns of \`${spec.kind.listCommand} -o csv\` (- for stdin); matched by id, else by name`
  );
  addApplyFlags(command, remove === null ? null : `delete the ${plural} that are not in the file`);
  command.addHelpText("after", `${help}

${planHelp}`).action(async (file, flags) => {
    const context = open();
    const input = { kind: spec.kind, ...spec.input };
    await applyRecords(context, file, flags, spec, await loadWanted(context, file, flags, input));
  });
}
async function applyRecords(context, file, flags, { kind, select, tellOfNew }, { wanted, table }) {
  mapViewFor(context, { map: void 0 });
  const client = await connect(context);
  const listed = await wholeOf(context, (options) => call(client, kind.list, {}, { ...options, select }), "changed");
  const known = rowsIn(kind, listed).filter((row) => !isMarkedDeleted(row));
  if (kind.field !== void 0) refuseNearlyKnownFields(context, kind, wanted, known);
  const referred = await refer(context, client, kind, wanted, known);
  const plan = planRecords(kind, referred.wanted, known, { prune: flags.prune === true, names: referred.names });
  const given = new Map(referred.wanted.map(({ line, members }) => [line, members]));
  for (const { line, record } of plan.steps) {
    if (record.action === "create" && line !== null) tellOfNew?.(context, given.get(line) ?? {}, known);
  }
  const remarks = [...keptSpellings(plan), ...leftAlone(flags, plan.notInFile, kind)];
  const { steps } = plan;
  await carryOut(context, async () => client, { steps, table, remarks }, { ...flags, input: file });
}
function refuseNearlyKnownFields({ report }, { noun }, wanted, known) {
  const given = new Set(wanted.flatMap(({ members }) => customFieldsIn(members.customFields).map(({ name }) => name)));
  for (const name of given) {
    const slip = slipInField(report, name, noun, known);
    if (slip) throw refusal(slip.problem, { hint: slip.hint });
  }
}
function keptSpellings({ respelled }) {
  if (respelled.length === 0) return [];
  const names = namesText(respelled.map(({ own, inFile }) => `"${inFile}" is "${own}"`));
  return [`Names that the file spells otherwise keep their spelling: ${names}. With an id in the line they change.`];
}
export {
  applyRecords,
  defineApply
};
