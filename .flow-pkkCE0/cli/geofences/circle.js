import { METRES_PER_DEGREE, positionAt } from "../../core/geo.js";
const CORNERS = 64;
function circleAround(longitude, latitude, radiusMetres) {
  const ring = Array.from({ length: CORNERS }, (_, index) => {
    const corner = positionAt({ latitude, longitude }, radiusMetres, -(index / CORNERS) * 360);
    return [rounded(corner.longitude), rounded(corner.latitude)];
  });
  const crossesPole = Math.abs(latitude) + radiusMetres / METRES_PER_DEGREE > 90;
  const crossesEdge = ring.some(([x = 0]) => Math.abs(x) > 180);
  return crossesPole || crossesEdge ? null : { type: "Polygon", coordinates: [[...ring, ...ring.slice(0, 1)]] };
}
function rounded(degrees) {
  return Math.round(degrees * 1e7) / 1e7;
}
export {
  circleAround
};
