import { readableHeaders } from "./response-headers.js";
import { ResponseTooLarge } from "./response-limits.js";
async function readBody(response, signal, { limit, onData, onActivity }) {
  const take = response.ok ? onData : void 0;
  const stream = streamOf(response);
  if (!stream || !take && announcesSize(response, limit)) return checked(await response.text(), limit);
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of stream) {
    if (signal?.aborted) break;
    onActivity?.();
    if (take) {
      await take(chunk, null);
      continue;
    }
    bytes += chunk.length;
    if (bytes > limit.maxBytes) throw new ResponseTooLarge(limit.maxBytes);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
function streamOf({ body }) {
  if (typeof body !== "object" || body === null || !(Symbol.asyncIterator in body)) return null;
  return body;
}
function announcesSize(response, { maxBytes }) {
  const headers = readableHeaders(response);
  const length = headers.get("content-length") ?? "";
  return /^\d+$/.test(length) && Number(length) <= maxBytes && !headers.get("content-encoding");
}
function checked(text, { maxBytes }) {
  if (text.length > maxBytes || text.length > maxBytes / 3 && Buffer.byteLength(text) > maxBytes) {
    throw new ResponseTooLarge(maxBytes);
  }
  return text;
}
export {
  readBody
};
