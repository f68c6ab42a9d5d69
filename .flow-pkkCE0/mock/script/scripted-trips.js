function positionOf(row) {
  const { gps } = row;
  if (gps === null || gps.state === false || gps.latitude == null || gps.longitude == null) return null;
  return { latitude: gps.latitude, longitude: gps.longitude };
}
function tripOf({ rows, position }, first, last) {
  const { isContinued, ...whole } = partOf(rows, first, last);
  return {
    vehicleId: first.vehicleId,
    ...whole,
    startPosition: positionOf(first) ?? position,
    endPosition: positionOf(last) ?? position
  };
}
function partOf(run, first, last, from = first.timestamp, to = last.timestamp) {
  const [start, end] = [Math.max(from, first.timestamp), Math.min(to, last.timestamp)];
  const harshEvents = {};
  let idleMs = 0;
  let topSpeedKmh = 0;
  let [startKm, endKm] = [first.odometerKm, first.odometerKm];
  for (const [index, row] of run.entries()) {
    const next = run[index + 1] ?? last;
    const speed = row.gps?.speed ?? 0;
    if (speed === 0) idleMs += Math.max(0, Math.min(end, next.timestamp) - Math.max(start, row.timestamp));
    if (row.timestamp < start) startKm = row.odometerKm;
    if (row.timestamp < end) endKm = row.odometerKm;
    if (row.timestamp < start || row.timestamp >= end && end < last.timestamp) continue;
    topSpeedKmh = Math.max(topSpeedKmh, speed);
    const type = row.driverBehaviour?.driverBehaviourType;
    if (type != null) harshEvents[type] = (harshEvents[type] ?? 0) + 1;
  }
  if (end === last.timestamp) endKm = last.odometerKm;
  return {
    start,
    end,
    isContinued: start > first.timestamp,
    distanceKm: endKm - startKm,
    fuelLitres: 0,
    idleMs,
    topSpeedKmh,
    harshEvents,
    startOdometerKm: startKm,
    endOdometerKm: endKm
  };
}
function tripsOfRows(rows) {
  return [...runsOf(rows)].map(([run, first, last]) => tripOf(run, first, last));
}
function partsOfRows(rows, from, to) {
  return [...runsOf(rows)].flatMap(
    ([run, first, last]) => first.timestamp < to && last.timestamp > from ? partOf(run.rows, first, last, from, to) : []
  );
}
function* runsOf(rows) {
  let run = null;
  let position = { latitude: 0, longitude: 0 };
  for (const row of [...rows].sort((a, b) => a.timestamp - b.timestamp)) {
    position = positionOf(row) ?? position;
    const isOn = row.ignition?.engineStatus ?? null;
    const first2 = run?.rows[0];
    if (isOn === false) {
      if (run !== null && first2 !== void 0) yield [run, first2, row];
      run = null;
    } else if (isOn === true || run !== null) {
      run ??= { rows: [], position };
      run.rows.push(row);
    }
  }
  const [first, last] = [run?.rows[0], run?.rows.at(-1)];
  if (run !== null && first !== void 0 && last !== void 0) yield [run, first, last];
}
export {
  partsOfRows,
  tripsOfRows
};
