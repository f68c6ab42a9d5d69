function sentence(text) {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
export {
  sentence
};
