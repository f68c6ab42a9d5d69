function recordsOf({ record, effects }) {
  return effects && effects.length > 0 ? effects : [record];
}
export {
  recordsOf
};
