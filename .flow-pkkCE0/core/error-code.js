function errorCode(error) {
  const code = error instanceof Error ? Reflect.get(error, "code") : void 0;
  return typeof code === "string" ? code : void 0;
}
export {
  errorCode
};
