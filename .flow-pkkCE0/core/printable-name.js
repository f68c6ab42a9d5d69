function printableName(name) {
  return /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) ? name : "(a key that is not a name)";
}
export {
  printableName
};
