const endings = [
  [/Kmh$/, "km/h"],
  [/Km$/, "km"],
  [/DistanceM$/, "m"],
  [/Seconds$/, null]
];
function headingOfField(path) {
  const found = endings.find(([ending]) => ending.test(path));
  const bare = found === void 0 ? path : path.replace(/(Kmh|Km|M|Seconds)$/, "");
  const words = bare.replace(/([a-z\d])([A-Z])/g, (_, before, after) => `${before} ${after.toLowerCase()}`).replace(/^./, (first) => first.toUpperCase());
  return { words, unit: found?.[1] ?? null };
}
function isDuration(path) {
  return /[a-z]Seconds$/.test(path);
}
function isIdField(path) {
  return path === "id" || path.endsWith("Id") || path.endsWith(".id");
}
function isHeadingOf(words, path) {
  return spellingOf(words) === spellingOf(path) || spellingOf(words) === spellingOf(headingOfField(path).words);
}
function spellingOf(name) {
  return name.toLowerCase().replace(/[\s_-]+/g, "").replace("licence", "license");
}
export {
  headingOfField,
  isDuration,
  isHeadingOf,
  isIdField,
  spellingOf
};
