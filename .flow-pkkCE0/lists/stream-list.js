import { errorForCaller } from "../core/errors.js";
import { unwrapRows } from "../request/unwrap-result.js";
import { RowIterator } from "../rows/row-iterator.js";
import { ListSource } from "./list-source.js";
function streamList(call, options, { send, notifier, timers, maxBytes, onHead }) {
  const { name } = call;
  const partial = options.partial === true;
  const source = new ListSource(
    { name, partial, signal: options.signal, maxBytes },
    (list, signal) => send({ ...call, list: { ...list, onHead } }, { ...options, signal }, (answer) => {
      unwrapRows(name, answer, partial, notifier);
    }),
    notifier,
    timers
  );
  return new RowIterator(name, source, options.signal, withRowsGiven);
}
function withRowsGiven(error, { delivered: rowsGiven }) {
  const message = rowsGiven === 0 ? error.message : `${error.message} ${rowsGiven} rows were delivered before.`;
  return Object.assign(errorForCaller(error, message), { rowsGiven });
}
export {
  streamList
};
