import PQueue from "p-queue";
import { AbortFlag } from "../core/deadline.js";
function localGate() {
  const held = /* @__PURE__ */ new Map();
  const pass = (key) => {
    const waiting = held.get(key);
    if (waiting && waiting.size > 0) waiting.start();
    else held.delete(key);
  };
  const run = async (key, task) => {
    try {
      return await task();
    } finally {
      pass(key);
    }
  };
  return {
    hold(key, task, options = {}) {
      if (hasFired(options)) return Promise.reject(options.signal?.reason);
      const waiting = held.get(key);
      if (waiting === void 0) {
        held.set(key, null);
        return run(key, task);
      }
      const queue = waiting ?? new PQueue({ concurrency: 1, autoStart: false });
      held.set(key, queue);
      return afterTurn(queue, options, { run: () => run(key, task), pass: () => pass(key) });
    }
  };
}
async function afterTurn(queue, options, turn) {
  const { signal } = options;
  let isGranted = false;
  const grant = () => {
    queue.pause();
    isGranted = true;
  };
  try {
    await queue.add(grant, signal ? { signal } : {});
    signal?.throwIfAborted();
  } catch (error) {
    if (isGranted) turn.pass();
    throw error;
  }
  return turn.run();
}
function hasFired(options) {
  return options instanceof AbortFlag ? options.aborted : options.signal?.aborted ?? false;
}
export {
  hasFired,
  localGate
};
