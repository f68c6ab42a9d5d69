function columnsOf({ columns }) {
  return columns || 80;
}
function terminalRows({ rows }) {
  return rows || 24;
}
async function write(stream, text) {
  if (stream.destroyed) throw Object.assign(new Error("The reader closed the pipe."), { code: "EPIPE" });
  if (stream.write(text)) return;
  await new Promise((resolve, reject) => {
    const settle = (error) => {
      stream.removeListener("drain", settle);
      stream.removeListener("error", settle);
      if (error) reject(error);
      else resolve();
    };
    stream.once("drain", settle);
    stream.once("error", settle);
  });
}
const CHUNK_SIZE = 32768;
async function writeAll(stream, texts) {
  let buffered = "";
  let pause;
  const flush = () => {
    const text = buffered;
    buffered = "";
    return text === "" ? Promise.resolve() : write(stream, text);
  };
  let pauseWrites = Promise.resolve();
  const onPause = () => {
    pause = void 0;
    pauseWrites = pauseWrites.then(flush);
    pauseWrites.catch(() => void 0);
  };
  try {
    for await (const text of texts) {
      if (typeof text !== "string") {
        await pauseWrites;
        await flush();
        await write(stream, text);
        continue;
      }
      buffered += text;
      if (buffered.length >= CHUNK_SIZE) {
        await pauseWrites;
        await flush();
      } else pause ??= setImmediate(onPause);
    }
  } finally {
    clearImmediate(pause);
    await pauseWrites;
    await flush();
  }
}
export {
  columnsOf,
  terminalRows,
  write,
  writeAll
};
