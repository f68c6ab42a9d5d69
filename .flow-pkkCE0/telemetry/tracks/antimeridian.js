function cutAtAntimeridian(positions, timeOf) {
  let line = [];
  const lines = [line];
  for (const [index, position] of positions.entries()) {
    const place = { position, time: timeOf(index), index };
    const before = line.at(-1);
    if (before && Math.abs(longitudeOf(position) - longitudeOf(before.position)) > 180) {
      const [end, begin] = ends(before, place);
      line.push(end);
      line = [begin];
      lines.push(line);
    }
    line.push(place);
  }
  return lines;
}
function ends(one, other) {
  const side = longitudeOf(one.position) > 0 ? 180 : -180;
  const [toSide, fromSide] = [side - longitudeOf(one.position), longitudeOf(other.position) + side];
  const whole = toSide + fromSide;
  const share = whole === 0 ? 0 : toSide / whole;
  const between = (from, to) => from + (to - from) * share;
  const [, ...rest] = one.position.map((value, axis) => between(value, other.position[axis] ?? value));
  const time = Math.round(between(one.time, other.time));
  const at = (longitude) => ({ position: [longitude, ...rest], time, index: one.index });
  return [at(side), at(-side)];
}
function longitudeOf([longitude = 0]) {
  return longitude;
}
export {
  cutAtAntimeridian
};
