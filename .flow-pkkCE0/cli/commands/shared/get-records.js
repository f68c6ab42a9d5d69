import { operations } from "../../../generated/operation-table.js";
import { connect } from "../../connection/connect.js";
import { printRecord, printRows } from "../../context/print.js";
import { findRecord, findRecords } from "../../find/record.js";
import { canBeDeleted } from "../../shape/deleted.js";
import { listShape, recordShape } from "../../shape/list-shape.js";
const severalHelp = `

One name prints a record: with -o json an object. Several names, or none for all, print a list: with -o json an array, in the order of
the names.`;
async function getRecords(context, kind, names) {
  const { view } = kind;
  const [only, ...others] = names;
  if (only !== void 0 && others.length === 0) {
    const shape2 = recordShape(context, view, operations[kind.byId]);
    const client2 = await connect(context);
    const found2 = await findRecord(context, client2, kind, only, { substring: true, ...shape2.options });
    return printRecord(context, shape2.record(found2), shape2.view);
  }
  const operation = operations[kind.list];
  const deleted = canBeDeleted(operation.returns.type) && only === void 0 ? false : void 0;
  const shape = listShape(context, view, operation, deleted);
  const client = await connect(context);
  const found = await findRecords(context, client, kind, names, shape.options);
  await printRows(context, shape.rows(found), shape.view, `No ${kind.noun} is visible to this user.`);
}
export {
  getRecords,
  severalHelp
};
