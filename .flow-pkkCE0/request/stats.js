function waitingCalls(batches, now) {
  const groups = /* @__PURE__ */ new Map();
  for (const { fields, priority } of batches) {
    for (const { call, members } of fields) {
      for (const { deadline } of members) {
        const key = `${priority} ${call.name}`;
        const group = groups.get(key) ?? { operation: call.name, priority, calls: 0, forMs: 0 };
        group.calls++;
        group.forMs = Math.max(group.forMs, now - deadline.startedAt);
        groups.set(key, group);
      }
    }
  }
  return [...groups.values()];
}
function activeRequest({ fields, progress }, since, now) {
  return {
    operations: [...new Set(fields.map(({ call }) => call.name))],
    calls: fields.reduce((sum, { members }) => sum + members.length, 0),
    attempts: progress.attempts,
    isOnWire: progress.isOnWire,
    forMs: now - since
  };
}
export {
  activeRequest,
  waitingCalls
};
