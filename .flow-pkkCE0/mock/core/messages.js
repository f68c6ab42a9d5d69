function bodyText(body) {
  return typeof body === "string" ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
}
function jsonMessage(status, value, headers = {}) {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(value)
  };
}
function withDate(response, now) {
  return { ...response, headers: { ...response.headers, date: new Date(now).toUTCString() } };
}
function emptyResponse(status) {
  return { status, headers: {}, body: "" };
}
function html(status, body, headers = {}) {
  return { status, headers: { "content-type": "text/html; charset=utf-8", ...headers }, body };
}
function errorResponse(status, classification, message, headers = {}) {
  return jsonMessage(status, { errors: [{ message, extensions: { classification } }] }, headers);
}
const maxBodyBytes = 8 * 1024 * 1024;
function bodyTooLarge() {
  return errorResponse(413, "BAD_REQUEST", `The body is larger than ${maxBodyBytes} bytes.`);
}
function mediaType(header) {
  return (header ?? "").split(";", 1).join("").trim().toLowerCase();
}
export {
  bodyText,
  bodyTooLarge,
  emptyResponse,
  errorResponse,
  html,
  jsonMessage,
  maxBodyBytes,
  mediaType,
  withDate
};
