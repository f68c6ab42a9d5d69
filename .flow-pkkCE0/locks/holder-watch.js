import { readTicket, ticketsIn } from "./tickets.js";
const FIRST_LOOK_MS = 5;
const LOOK_MS = 25;
function watchForWaiters(queue, id) {
  let socket = null;
  let isOver = false;
  const look = async () => {
    const opened = await announceToFirst(queue, id);
    if (opened === null) return again(LOOK_MS);
    if (isOver) return opened.end();
    socket = opened.once("close", () => {
      socket = null;
      if (!isOver) again(LOOK_MS);
    });
  };
  const again = (ms) => {
    if (!isOver) timer = setTimeout(() => void look(), ms).unref();
  };
  let timer = setTimeout(() => void look(), FIRST_LOOK_MS).unref();
  return () => {
    isOver = true;
    clearTimeout(timer);
    if (socket) socket.connecting ? socket.end() : socket.destroy();
    else void announceToFirst(queue, id).then((opened) => opened?.end());
  };
}
async function announceToFirst(queue, id) {
  const [first] = ticketsIn(queue);
  const address = first === void 0 ? null : readTicket(queue, first)?.address;
  if (!address) return null;
  const { announceHolder } = await import("./wake-up.js");
  return announceHolder(address, id);
}
export {
  watchForWaiters
};
