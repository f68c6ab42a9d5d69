import { bodyText, mediaType } from "../core/messages.js";
function parseForm(request, takesUrlEncoded) {
  const header = request.headers["content-type"];
  switch (mediaType(header)) {
    case "application/x-www-form-urlencoded":
      return takesUrlEncoded ? new Map(new URLSearchParams(bodyText(request.body))) : "unsupported";
    case "multipart/form-data":
      return parseMultipart(header ?? "", request.body) ?? "malformed";
    default:
      return "unsupported";
  }
}
const boundaryPattern = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const namePattern = /^content-disposition:\s*form-data\s*;.*?\bname=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/im;
function parseMultipart(header, body) {
  const match = boundaryPattern.exec(header);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === void 0) return null;
  const bytes = (typeof body === "string" ? Buffer.from(body) : Buffer.from(body)).toString("latin1");
  const parts = `\r
${bytes}`.split(`\r
--${boundary}`);
  const last = parts.pop();
  if (parts.length === 0 || last?.startsWith("--") !== true) return null;
  const fields = /* @__PURE__ */ new Map();
  for (const part of parts.slice(1)) {
    const headerEnd = part.indexOf("\r\n\r\n");
    if (headerEnd < 0) return null;
    const name = namePattern.exec(part.slice(0, headerEnd).replace(/^[ \t]*\r\n/, ""));
    if (name === null) return null;
    const key = name[1]?.replace(/\\(.)/g, "$1") ?? name[2] ?? "";
    fields.set(key, Buffer.from(part.slice(headerEnd + 4), "latin1").toString("utf8"));
  }
  return fields;
}
export {
  parseForm
};
