function isTerminal(options) {
  return options.width !== void 0;
}
export {
  isTerminal
};
