import { note } from "../context/context.js";
import { outageText, recoveryText } from "./messages.js";
async function* changedRows(run, events, shape, { key, name }) {
  const previous = /* @__PURE__ */ new Map();
  let reported = [];
  for await (const event of events) {
    if (event.kind === "outage") {
      note(run, outageText(event, run.zone.name));
      continue;
    }
    if (event.outageMs !== null) note(run, recoveryText(event.outageMs));
    for (const warning of event.warnings) if (!reported.includes(warning)) note(run, `! ${warning}`);
    reported = event.warnings;
    const gone = new Map(previous);
    for (const row of event.answer) {
      gone.delete(key(row));
      const change = await changeOf(row, previous.get(key(row)), shape);
      previous.set(key(row), { ...change.state, name: name(row) });
      if (change.row !== null) yield change.row;
    }
    for (const [id, { name: name2, isShown }] of gone) {
      previous.delete(id);
      if (isShown) note(run, `! ${name2} is no longer visible to this user`);
    }
  }
}
async function changeOf(row, before, shape) {
  let isShown = false;
  for await (const _ of shape.rows([row])) isShown = true;
  if (!isShown && before?.isShown !== true) return { row: null, state: { text: null, isShown } };
  const shown = shape.record(row);
  const text = JSON.stringify(shown);
  return { row: text === before?.text ? null : shown, state: { text, isShown } };
}
export {
  changedRows
};
