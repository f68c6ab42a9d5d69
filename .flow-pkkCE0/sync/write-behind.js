async function writeBehind(work) {
  let last = Promise.resolve();
  try {
    await work(async (batch) => {
      const before = last;
      last = before.then(batch);
      last.catch(() => void 0);
      await before;
    });
  } finally {
    await last;
  }
}
export {
  writeBehind
};
