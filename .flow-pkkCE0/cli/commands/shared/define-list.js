import { operations } from "../../../generated/operation-table.js";
import { connect } from "../../connection/connect.js";
import { listRows } from "../../connection/list-rows.js";
import { formatOf, printRows } from "../../context/print.js";
import { canBeDeleted, deletedFlag, deletedHelp } from "../../shape/deleted.js";
import { listShape } from "../../shape/list-shape.js";
function defineList(noun, open, { verb = "list", description, help, operation, view, emptyText, arranged }) {
  const command = noun.command(verb).description(description);
  const hasDeleted = canBeDeleted(operations[operation].returns.type);
  if (hasDeleted) command.option(deletedFlag, deletedHelp);
  command.addHelpText("after", help).action(async ({ deleted }) => {
    const context = open();
    const shape = listShape(context, view, operations[operation], hasDeleted ? deleted === true : void 0);
    const client = await connect(context);
    const rows = await listRows(context, client, operation, shape.options);
    const { fields, sort, filter } = context.globals;
    const isArranged = arranged !== void 0 && fields === void 0 && formatOf(context).forPeople;
    const shown = isArranged && !(Symbol.asyncIterator in rows) ? arranged(rows, sort !== void 0 || filter !== void 0) : rows;
    await printRows(context, shape.rows(shown), shape.view, emptyText);
  });
}
export {
  defineList
};
