import { metresFromEdge } from "../watch/geofence-shape.js";
const DEFAULT_HYSTERESIS_METRES = 50;
function crossingsTo(position, inside, known, hysteresisMetres = DEFAULT_HYSTERESIS_METRES) {
  const left = [];
  for (const id of inside) {
    const shape = known.get(id)?.shape ?? null;
    if (shape === null || metresFromEdge(shape, position, hysteresisMetres) > hysteresisMetres) left.push(id);
  }
  const entered = [];
  for (const [id, { shape }] of known) {
    if (shape !== null && !inside.has(id) && metresFromEdge(shape, position, 0) <= 0) entered.push(id);
  }
  return { left, entered };
}
export {
  crossingsTo
};
