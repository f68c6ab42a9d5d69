function call(client, name, variables, options) {
  const methods = client;
  return methods[name](variables, options);
}
export {
  call
};
