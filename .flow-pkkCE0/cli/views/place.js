import { wholeNumber } from "./humanize.js";
function distanceText(metres) {
  if (metres < 999.5) return `${Math.round(metres)} m`;
  const km = metres / 1e3;
  return km < 99.95 ? `${km.toFixed(1)} km` : `${wholeNumber(km)} km`;
}
const placeFields = [
  "place",
  "placeId",
  "nearestPlace",
  "nearestPlaceDistanceM",
  "nearestPlaceDirection"
];
function fieldsOfPlace(found) {
  const inside = found?.distanceM === 0 ? found : null;
  return {
    place: inside?.name ?? null,
    placeId: inside?.id ?? null,
    nearestPlace: found?.name ?? null,
    nearestPlaceDistanceM: found === null ? null : Math.round(found.distanceM),
    nearestPlaceDirection: found?.direction ?? null
  };
}
function shortPlaceTexts({
  nearestPlace,
  nearestPlaceDistanceM,
  nearestPlaceDirection
}) {
  if (!nearestPlace) return [];
  if (!nearestPlaceDirection) return [nearestPlace];
  const km = (nearestPlaceDistanceM ?? 0) / 1e3;
  const place = `${nearestPlaceDirection} of ${nearestPlace}`;
  return [...km < 1 ? [] : [`${wholeNumber(km)} km ${place}`], place];
}
function placeTextIn({ nearestPlace, nearestPlaceDistanceM, nearestPlaceDirection }) {
  if (!nearestPlace) return "";
  if (!nearestPlaceDirection) return `in ${nearestPlace}`;
  return `${distanceText(nearestPlaceDistanceM ?? 0)} ${nearestPlaceDirection} of ${nearestPlace}`;
}
export {
  distanceText,
  fieldsOfPlace,
  placeFields,
  placeTextIn,
  shortPlaceTexts
};
