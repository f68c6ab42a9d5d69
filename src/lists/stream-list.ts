// A list query whose rows are given while its answer arrives. It is one request, and holds its user's turn until the answer is complete.

import type { ListQuery, RowOf } from '../contract/selection/types.js';
import { errorForCaller, type FleetError } from '../core/errors.js';
import type { FleetStream } from '../core/fleet-stream.js';
import type { Notifier } from '../core/hooks.js';
import type { CallOptions } from '../core/operation.js';
import type { Timers } from '../core/ports.js';
import type { AnswerHead } from '../core/request-ids.js';
import type { Call, CallAnswer } from '../request/call.js';
import { unwrapRows } from '../request/unwrap-result.js';
import { RowIterator, type RowProgress } from '../rows/row-iterator.js';
import { ListSource } from './list-source.js';

export interface ListDependencies {
  /** Sends a call through the user's queue; `read` is called with its answer. */
  send(call: Call, options: CallOptions, read: (answer: CallAnswer) => void): Promise<void>;
  readonly notifier: Notifier;
  readonly timers: Timers;
  /** Most bytes that may wait to be read. */
  readonly maxBytes: number;
  /** Called with the head of each response. */
  readonly onHead: (answer: AnswerHead) => void;
}

/** Sends nothing before the first row is requested. */
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
  // The document selects what the row type has; responses are not validated at run time.
  return new RowIterator(name, source, options.signal, withRowsGiven) as FleetStream<RowOf<Name, Select>>;
}

/** There is no way to take up a list where it ended. */
function withRowsGiven(error: FleetError, { delivered: rowsGiven }: RowProgress): FleetError {
  const message = rowsGiven === 0 ? error.message : `${error.message} ${rowsGiven} rows were delivered before.`;
  return Object.assign(errorForCaller(error, message), { rowsGiven });
}
