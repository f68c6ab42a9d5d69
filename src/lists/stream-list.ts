// A list query whose rows are delivered while its answer arrives. It is one request, and holds its
// user's turn until the answer is complete.

import type { ListQuery, RowOf } from '../contract/selection/types.js';
import { errorForCaller, type FleetError } from '../core/errors.js';
import type { FleetStream } from '../core/generator-stream.js';
import type { Notifier } from '../core/hooks.js';
import type { CallOptions } from '../core/operation.js';
import type { Timers } from '../core/ports.js';
import type { AnswerHead } from '../core/request-ids.js';
import type { Call, CallAnswer } from '../request/call.js';
import { unwrapRows } from '../request/unwrap-result.js';
import { RowIterator, type RowProgress } from '../rows/row-iterator.js';
import { ListSource } from './list-source.js';

export interface ListDependencies {
  send(call: Call, options: CallOptions, read: (answer: CallAnswer) => void): Promise<void>;
  readonly notifier: Notifier;
  readonly timers: Timers;
  readonly maxBytes: number;
  readonly onHead: (answer: AnswerHead) => void;
}

/** Returns the stream. It sends nothing before the first row is requested. */
export function streamList<Name extends ListQuery, Select>(
  call: Call,
  options: CallOptions,
  { send, notifier, timers, maxBytes, onHead }: ListDependencies,
): FleetStream<RowOf<Name, Select>> {
  const { name } = call;
  const partial = options.partial === true;
  const source = new ListSource(
    { name, partial, signal: options.signal, maxBytes },
    (list, signal) =>
      send({ ...call, list: { ...list, onHead } }, { ...options, signal }, (answer) => {
        unwrapRows(name, answer, partial, notifier);
      }),
    notifier,
    timers,
  );
  // The document selects the fields of the row type; responses are not validated at run time.
  return new RowIterator(name, source, options.signal, withRowsGiven) as FleetStream<RowOf<Name, Select>>;
}

/** A list cannot be resumed, so the error has no `resumeFrom`. */
function withRowsGiven(error: FleetError, { delivered: rowsGiven }: RowProgress): FleetError {
  const message = rowsGiven === 0 ? error.message : `${error.message} ${rowsGiven} rows were delivered before.`;
  return Object.assign(errorForCaller(error, message), { rowsGiven });
}
