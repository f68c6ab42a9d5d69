async function readStdin(run) {
  return (await readStdinBytes(run)).toString("utf8");
}
async function readStdinBytes(run) {
  const chunks = [];
  for await (const chunk of run.io.stdin) chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}
export {
  readStdin,
  readStdinBytes
};
