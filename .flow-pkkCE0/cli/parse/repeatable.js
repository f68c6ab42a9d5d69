function repeatable(value, previous) {
  return [...previous ?? [], value];
}
export {
  repeatable
};
