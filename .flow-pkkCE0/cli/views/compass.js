const winds = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
function compassPoint(degrees) {
  return winds[Math.round((degrees % 360 + 360) % 360 / 45) % 8] ?? "";
}
export {
  compassPoint
};
