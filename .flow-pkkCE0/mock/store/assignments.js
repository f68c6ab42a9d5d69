const endOf = ({ end }) => end ?? Number.POSITIVE_INFINITY;
function isActiveAt(interval, time) {
  return interval.start <= time && time < endOf(interval);
}
function doOverlap(a, b) {
  return a.start < endOf(b) && b.start < endOf(a);
}
function assign(existing, assignment) {
  const removed = [];
  const resized = [];
  const added = [];
  const concerned = [...existing].filter(
    ({ vehicleId, driverId }) => vehicleId === assignment.vehicleId || driverId === assignment.driverId
  );
  const planned = concerned.filter(({ start }) => start > assignment.start).map(({ start }) => start);
  const end = assignment.end ?? (planned.length === 0 ? null : Math.min(...planned));
  for (const current of concerned) {
    const isSamePair = current.vehicleId === assignment.vehicleId && current.driverId === assignment.driverId;
    if (isSamePair && isActiveAt(current, assignment.start)) return null;
    if (!doOverlap(current, { start: assignment.start, end })) continue;
    const before = current.start < assignment.start ? { ...current, end: assignment.start } : null;
    const after = assignment.end !== null && endOf(current) > assignment.end ? { ...current, start: assignment.end } : null;
    if (before !== null) resized.push(before);
    if (after !== null && before === null) resized.push(after);
    if (after !== null && before !== null) {
      const { vehicleId, driverId, start, end: end2 } = after;
      added.push({ vehicleId, driverId, start, end: end2 });
    }
    if (before === null && after === null) removed.push(current);
  }
  added.push({ ...assignment, end });
  return { removed, resized, added };
}
function unassign(existing, time, driverId) {
  for (const current of existing) {
    if (!isActiveAt(current, time)) continue;
    if (driverId !== null && current.driverId !== driverId) return null;
    if (current.start === time) return { removed: [current], resized: [], added: [] };
    return { removed: [], resized: [{ ...current, end: time }], added: [] };
  }
  return null;
}
function endAll(existing, time) {
  const removed = [];
  const resized = [];
  for (const current of existing) {
    if (current.start >= time) removed.push(current);
    else if (endOf(current) > time) resized.push({ ...current, end: time });
  }
  return { removed, resized, added: [] };
}
export {
  assign,
  endAll,
  isActiveAt,
  unassign
};
