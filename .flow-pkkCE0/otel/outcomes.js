import { attribute } from "./names.js";
function errorOfCall({ outcome }) {
  return outcome === "ok" || outcome === "ABORTED" ? null : outcome;
}
function errorOfRequest({ status, error }) {
  if (status !== null && status >= 400) return String(status);
  return error === void 0 || error.message === "ABORTED" ? null : error.message;
}
function errorAttributes(error) {
  return error === null ? {} : { [attribute.errorType]: error };
}
export {
  errorAttributes,
  errorOfCall,
  errorOfRequest
};
