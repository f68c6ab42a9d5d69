const bars = {
  unicode: ["\xB7", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"],
  ascii: [".", "1", "2", "3", "4", "5", "6", "7", "8"]
};
function dayText({ trips, distanceKm }) {
  if (trips === 0) return "no trip";
  return `${distanceKm.toFixed(1)} km in ${trips === 1 ? "1 trip" : `${trips} trips`}`;
}
function hourStrip({ trips, hours }, options) {
  return trips === 0 ? "" : `0h ${hourCells(hours, options)} 24h`;
}
function hourCells(hours, { ascii }) {
  const [none = "", ...levels] = ascii ? bars.ascii : bars.unicode;
  const drawn = hours.map((share) => {
    if (share === null) return " ";
    return share <= 0 ? none : levels[Math.min(levels.length, Math.ceil(share * levels.length)) - 1] ?? none;
  });
  return drawn.join("");
}
export {
  dayText,
  hourCells,
  hourStrip
};
