function readMember(value, name) {
  if (typeof value !== "object" || value === null) return void 0;
  try {
    return Reflect.get(value, name);
  } catch {
    return void 0;
  }
}
function readableThrown(thrown) {
  try {
    if (thrown instanceof Error) for (const name of ["name", "message", "stack", "code"]) Reflect.get(thrown, name);
    return thrown;
  } catch {
    return new Error("What was thrown cannot be read: its own code threw.");
  }
}
export {
  readMember,
  readableThrown
};
