function isRedisClient(value) {
  if (typeof value !== "object" || value === null) return false;
  const has = (name) => typeof Reflect.get(value, name) === "function";
  return has("duplicate") && has("on") && (isIoRedis(value) ? has("disconnect") : has("sendCommand") && has("destroy"));
}
function connectionOver(client) {
  const opened = /* @__PURE__ */ new Set();
  const closeOpened = () => {
    for (const second of opened) end(second);
    opened.clear();
  };
  let isWatched = false;
  return {
    send: senderOf(client),
    open() {
      if (!isWatched) client.on("end", closeOpened);
      isWatched = true;
      const second = client.duplicate();
      opened.add(second);
      second.on("error", () => void 0);
      second.on("connect", () => {
        if (!opened.has(second)) end(second);
      });
      const ready = isIoRedis(second) ? Promise.resolve() : second.connect();
      ready.catch(() => void 0);
      const send = senderOf(second);
      return {
        ...connectionOver(second),
        send: (command, args) => ready.then(() => send(command, args)),
        close() {
          opened.delete(second);
          end(second);
        }
      };
    },
    close: () => end(client)
  };
}
function senderOf(client) {
  return isIoRedis(client) ? async (command, args) => client.call(command, [...args]) : async (command, args) => client.sendCommand([command, ...args]);
}
function end(client) {
  try {
    if (isIoRedis(client)) client.disconnect();
    else client.destroy();
  } catch {
  }
}
function isIoRedis(client) {
  return typeof Reflect.get(client, "call") === "function";
}
export {
  connectionOver,
  isRedisClient
};
