// The traced clients. Channel messages of their calls and requests become spans and metrics.
import type { CallTrace, RequestTrace, RetryTrace, Trace } from '../core/channels.js';
import { callChannel, requestChannel, retryChannel } from '../core/channels.js';
import type { ClientSource } from '../core/event-source.js';
import type { CallEvent, ResponseEvent } from '../core/hooks.js';
import { quietly } from '../core/safe-read.js';

/** Creates spans or metrics. The returned functions get the completed messages. */
export interface Observer {
  startCall(call: CallTrace): (ended: CallEvent) => void;
  startRequest(request: RequestTrace): (ended: EndedRequest) => void;
  retry(retry: RetryTrace): void;
}

export type EndedRequest = RequestTrace & ResponseEvent;

const traced = new WeakMap<ClientSource, readonly Observer[]>();
/** Functions that end each open call and request, also of clients that are no longer traced. */
const open = new Map<unknown, readonly (() => void)[]>();
let clients = 0;

/** Observes a client and those made from it. Returns a function that ends it. */
export function observeClient(source: ClientSource, observers: readonly Observer[]): () => void {
  source.isTraced = true;
  traced.set(source, observers);
  if (clients++ === 0 && open.size === 0) listen('subscribe');
  return () => {
    if (traced.get(source) !== observers) return;
    source.isTraced = false;
    traced.delete(source);
    clients--;
    stopWhenUnused();
  };
}

function stopWhenUnused(): void {
  if (clients === 0 && open.size === 0) listen('unsubscribe');
}

function listen(how: 'subscribe' | 'unsubscribe'): void {
  callChannel.start[how](onCall);
  callChannel.asyncEnd[how](onEnd);
  requestChannel.start[how](onRequest);
  requestChannel.asyncEnd[how](onEnd);
  retryChannel[how](onRetry);
}

// The channels carry only these messages, which are complete at the end.
const onCall = (message: unknown) => {
  const call = message as CallTrace & CallEvent;
  startObservers(call, (observer) => observer.startCall(call));
};
const onRequest = (message: unknown) => {
  const request = message as EndedRequest;
  startObservers(request, (observer) => observer.startRequest(request));
};
const onRetry = (message: unknown) => {
  const retry = message as RetryTrace;
  inform(traced.get(retry.source), (observer) => observer.retry(retry));
};
const onEnd = (message: unknown) => {
  if (!open.has(message)) return;
  inform(open.get(message), (end) => end());
  open.delete(message);
  stopWhenUnused();
};

/** Starts the spans and metrics of a message, and stores the functions that end them. */
function startObservers<Message extends Trace>(
  message: Message,
  task: (observer: Observer) => (ended: Message) => void,
): void {
  const ends: (() => void)[] = [];
  inform(traced.get(message.source), (observer) => {
    const end = task(observer);
    ends.push(() => end(message));
  });
  if (ends.length > 0) open.set(message, ends);
}

/** Runs code of the program, such as samplers, whose exceptions must not break a call. */
function inform<Listener>(listeners: readonly Listener[] = [], task: (listener: Listener) => void): void {
  listeners.forEach(quietly(task));
}
