function eventSource(label, random) {
  let prefix = "";
  let last = 0;
  return {
    source: { isTraced: false },
    label,
    newId() {
      if (prefix === "") prefix = letters(random) + letters(random);
      last++;
      return `${prefix}-${last}`;
    }
  };
}
function letters(random) {
  return random().toString(36).slice(2, 8).padEnd(6, "0");
}
export {
  eventSource
};
