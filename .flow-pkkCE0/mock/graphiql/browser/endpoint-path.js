const plainPath = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/;
function endpointPath(parameter) {
  const path = parameter ?? "/graphql";
  return plainPath.test(path) ? path.slice(1) : null;
}
export {
  endpointPath
};
