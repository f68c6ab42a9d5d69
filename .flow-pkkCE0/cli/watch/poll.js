import { setTimeout as realSleep } from "node:timers/promises";
import { pauseAwake } from "../../telemetry/watch/pause.js";
import { pollOptions, poll as pollService } from "../../telemetry/watch/poll.js";
import { now, serviceNow } from "../context/context.js";
import { commandFailureOf } from "../errors/exit-codes.js";
async function* pollUntilInterrupted(context, everyMs, request) {
  const { signal, stdout, sleep } = context.io;
  const closedPipe = new AbortController();
  const onError = (error) => closedPipe.abort(error);
  const ended = AbortSignal.any([signal, closedPipe.signal]);
  stdout.on("error", onError);
  const asking = pollOptions(everyMs, context.globals.timeout);
  const failureFrom = (error) => commandFailureOf(error, signal.aborted, asking.timeoutMs);
  const polled = pollService(
    everyMs,
    async () => {
      const answer = await request(asking);
      return { answer, receivedAt: now(context), at: serviceNow(context) };
    },
    {
      now: () => now(context),
      serviceNow: () => serviceNow(context),
      // A person is waiting, and is told when the next attempt is.
      random: () => 1,
      pause: (ms) => sleep ? sleep(ms, ended) : pauseAwake(ms, Date.now, (slice) => realSleep(slice, void 0, { signal: ended }))
    }
  );
  try {
    for await (const one of polled) {
      const { warnings, isWhole } = takeWarnings(context.report);
      if (one.kind === "failure") {
        const { since, error, waitMs } = one;
        yield { kind: "outage", since, error, message: messageOf(failureFrom(error)), waitMs };
      } else {
        yield { kind: "answer", answer: one.answer, at: one.at, warnings, isWhole, outageMs: one.outage?.ms ?? null };
      }
    }
  } catch (error) {
    throw closedPipe.signal.aborted ? closedPipe.signal.reason : error;
  } finally {
    stdout.removeListener("error", onError);
  }
}
function messageOf({ code, message, details, hint }) {
  return [message, ...details, ...code === "TIMEOUT" && hint !== null ? [hint] : []].join(" ");
}
function takeWarnings(report) {
  const missing = report.takePartial().flatMap(({ messages }) => messages);
  const warnings = /* @__PURE__ */ new Set([...missing.map((message) => `incomplete: ${message}`), ...report.takeWarnings()]);
  return { warnings: [...warnings], isWhole: missing.length === 0 };
}
export {
  pollUntilInterrupted
};
