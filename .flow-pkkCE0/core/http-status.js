function isTransient(status) {
  return status === 408 || status === 425 || status >= 502 && status <= 504 || status >= 520 && status <= 529;
}
function isPassing(status) {
  return status >= 500 || isTransient(status) || isRateLimited(status);
}
function isServerError(status) {
  return status === 500;
}
function isRateLimited(status) {
  return status === 429;
}
export {
  isPassing,
  isRateLimited,
  isServerError,
  isTransient
};
