import { setMaxListeners } from "node:events";
function onAbort(signal, listener) {
  if (signal instanceof EventTarget) setMaxListeners(0, signal);
  signal.addEventListener("abort", listener, { once: true });
}
export {
  onAbort
};
