const names = ["x-request-id", "x-correlation-id", "request-id", "x-amzn-requestid"];
function responseIdOf({ headers }, sent) {
  for (const name of names) {
    const value = headers.get(name);
    if (!value) continue;
    return isId(value) && !sent.some((text) => text && isRepeatedIn(value, text)) ? value : null;
  }
  return null;
}
const TOKEN = /eyJ[^.]*\.[^.]*\./;
function isId(value) {
  return /^[\w.:/+=@-]{1,128}$/.test(value) && !TOKEN.test(value);
}
function isRepeatedIn(value, sent) {
  return sent.includes(value) || value.includes(sent);
}
export {
  responseIdOf
};
