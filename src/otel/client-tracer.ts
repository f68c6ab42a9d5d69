// Puts spans and metrics together as the tracer of a client.
import type { ClientTracer, FollowedCall, FollowedRequest } from '../core/hooks.js';
import type { Measurements } from './measurements.js';
import type { Spans } from './spans.js';

const UNFOLLOWED: FollowedCall & FollowedRequest = { headers: {}, run: (task) => task(), end: () => {} };

/** Samplers, processors and propagators of the program run in here. What they throw must not break a call. */
function safely<Result>(task: () => Result, otherwise: Result): Result {
  try {
    return task();
  } catch {
    return otherwise;
  }
}

export function clientTracer(spans: Spans, measurements: Measurements): ClientTracer {
  return {
    startCall(call) {
      const { run, end } = safely<FollowedCall>(() => spans.startCall(call), UNFOLLOWED);
      safely(() => measurements.callStarted(call), undefined);
      return {
        run,
        end(event) {
          safely(() => end(event), undefined);
          safely(() => measurements.callEnded(event), undefined);
        },
      };
    },
    startRequest(request, target) {
      const { headers, run, end } = safely<FollowedRequest>(() => spans.startRequest(request, target), UNFOLLOWED);
      safely(() => measurements.requestStarted(request), undefined);
      return {
        headers,
        run,
        end(event, failure) {
          safely(() => end(event, failure), undefined);
          safely(() => measurements.requestEnded(event, target, failure), undefined);
        },
      };
    },
    retry(event) {
      safely(() => spans.retry(event), undefined);
      safely(() => measurements.retry(event), undefined);
    },
  };
}
