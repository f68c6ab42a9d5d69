const MOST = 3;
const SHORTEST_PART = 3;
function closestNames(typed, names) {
  const close = candidates(typed, names).filter(({ distance }) => distance <= tolerance(typed));
  const least = Math.min(...close.map(({ distance }) => distance));
  return close.filter(({ distance }) => distance === least).slice(0, MOST).map(({ name }) => name);
}
function similarNames(typed, names) {
  const part = typed.length >= SHORTEST_PART ? typed.toLowerCase() : null;
  return candidates(typed, names).filter(({ name, distance }) => {
    return distance <= tolerance(typed) || part !== null && name.toLowerCase().includes(part);
  }).sort((a, b) => a.distance - b.distance).slice(0, MOST).map(({ name }) => name);
}
function didYouMean(typed, names) {
  const close = closestNames(typed, names).map((name) => `"${name}"`);
  if (close.length === 0) return void 0;
  return `Did you mean ${close.length === 1 ? close[0] : `${close.slice(0, -1).join(", ")} or ${close.at(-1)}`}?`;
}
function tolerance(typed) {
  return Math.max(1, Math.floor(typed.length / 3));
}
function candidates(typed, names) {
  const word = typed.toLowerCase();
  return [...new Set(names)].map((name) => {
    const least = Math.abs(word.length - name.length);
    return { name, distance: least > tolerance(word) ? least : editDistance(word, name.toLowerCase()) };
  });
}
function editDistance(from, to) {
  let beforeLast = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  const at = (row, column) => row[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) best = Math.min(best, at(beforeLast, j - 2) + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, to.length);
}
export {
  closestNames,
  didYouMean,
  editDistance,
  similarNames
};
