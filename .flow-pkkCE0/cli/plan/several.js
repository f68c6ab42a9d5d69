import { operations } from "../../generated/operation-table.js";
import { refusal } from "../errors/cli-error.js";
import { findRecords } from "../find/record.js";
import { recordId } from "../records/record-kind.js";
import { chosenRows } from "../shape/chosen-rows.js";
function named(context, flags, names, kind, { filters }) {
  const { filter } = context.globals;
  const ways = [
    ...names.length > 0 ? ["arguments"] : [],
    ...filter !== void 0 ? ["--filter"] : [],
    ...flags.input !== void 0 ? ["--input"] : []
  ];
  if (ways.length > 1 && (filter !== void 0 || names.length > 1)) {
    throw refusal(`The ${kind.plural} are given twice: with ${ways.join(" and ")}.`);
  }
  if (filter !== void 0 && filters) {
    const shape = chosenRows(context, kind.view, operations[kind.list], { fields: "id", filter });
    return {
      typed: void 0,
      chosen: async (client) => {
        const ids = [];
        for await (const row of shape.rows(await findRecords(context, client, kind, [], shape.options))) {
          const id = recordId(row);
          if (id) ids.push(id);
        }
        return ids;
      }
    };
  }
  const [only, ...others] = names;
  if (others.length === 0) return { typed: only };
  return { typed: void 0, chosen: () => Promise.resolve([...new Set(names)]) };
}
export {
  named
};
