import { turnOfEventLoop } from "../core/real-time.js";
import { DEFAULT_LIMIT, decompressedLimit, ResponseTooLarge } from "./response-limits.js";
const ACCEPT_ENCODING = "gzip, deflate, br";
class ArrivedHeaders {
  #values;
  constructor(values) {
    this.#values = values;
  }
  get(name) {
    const value = this.#values[name.toLowerCase()];
    return value === void 0 ? null : Array.isArray(value) ? value.join(", ") : value;
  }
  *[Symbol.iterator]() {
    for (const name of Object.keys(this.#values)) yield [name, this.get(name) ?? ""];
  }
}
const NO_HEADERS = new ArrivedHeaders({});
class BufferedResponse {
  /** 0 until the response begins. */
  status = 0;
  headers = NO_HEADERS;
  #onData;
  #onHead;
  #onActivity;
  #limit;
  #chunks = [];
  #bytes = 0;
  #error = null;
  #flow = null;
  #held = null;
  constructor({ onData, onHead, onActivity, limit = DEFAULT_LIMIT }) {
    this.#onData = onData;
    this.#onHead = onHead;
    this.#onActivity = onActivity;
    this.#limit = limit;
  }
  /** Pauses the `flow` while the receiver of the body asks for it. */
  begin(status, headers, flow = null) {
    this.status = status;
    this.headers = new ArrivedHeaders(headers);
    this.#flow = flow;
    this.#onActivity?.();
    this.#onHead?.(this);
  }
  /** Returns an error when the body is too large already: the response is to be given up. */
  addChunk(chunk) {
    this.#onActivity?.();
    if (this.#onData && this.ok) {
      this.#hold(this.#onData(chunk, this.headers.get("content-encoding")));
      return null;
    }
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limit.maxBytes) return new ResponseTooLarge(this.#limit.maxBytes);
    this.#chunks.push(chunk);
    return null;
  }
  #hold(held) {
    if (held === void 0 || held === this.#held) return;
    this.#held = held;
    this.#flow?.pause();
    void held.then(() => {
      if (this.#held !== held) return;
      this.#held = null;
      this.#flow?.resume();
    });
  }
  /** The rest of the body will not arrive. */
  fail(error) {
    this.#error ??= error;
  }
  get ok() {
    return this.status >= 200 && this.status <= 299;
  }
  text() {
    return this.#error ? Promise.reject(this.#error) : bodyText(this.#chunks, this.headers.get("content-encoding"), this.#limit);
  }
  async json() {
    const value = JSON.parse(await this.text());
    return value;
  }
}
const SMALL_BYTES = 16 * 1024;
const SMALL_OUTPUT_BYTES = 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;
async function loadDecoders() {
  const { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } = await import("node:zlib");
  return {
    gzip: gunzipSync,
    "x-gzip": gunzipSync,
    br: brotliDecompressSync,
    // The standard's deflate has a zlib header; some servers leave it out.
    deflate: (body, options) => (body.readUInt8(0) & 15) === 8 ? inflateSync(body, options) : inflateRawSync(body, options)
  };
}
let loading = null;
const EMPTY = Buffer.alloc(0);
const BYTE_ORDER_MARK = 65279;
function bodyText(chunks, contentEncoding, limit) {
  let bytes = 0;
  for (const { length } of chunks) bytes += length;
  if (bytes === 0) return Promise.resolve("");
  if (contentEncoding !== null && !/^\s*(identity\s*)?$/i.test(contentEncoding)) {
    return decompressed(chunks, bytes, contentEncoding.trim().toLowerCase(), limit);
  }
  return bytes <= PIECE_BYTES ? Promise.resolve(decode(chunks)) : decodedInPieces(chunks);
}
async function decompressed(chunks, bytes, contentEncoding, limit) {
  if (bytes <= SMALL_BYTES) {
    loading ??= loadDecoders();
    const small = decompressedAtOnce(Buffer.concat(chunks), (await loading)[contentEncoding], limit);
    if (small !== null) return decode([small]);
  }
  return decompressedInPieces(chunks, contentEncoding, decompressedLimit(bytes, limit));
}
function decompressedAtOnce(body, decoder, { maxBytes }) {
  if (!decoder) return null;
  try {
    return decoder(body, { maxOutputLength: Math.min(SMALL_OUTPUT_BYTES, maxBytes) });
  } catch (error) {
    if (error instanceof RangeError && Reflect.get(error, "code") === "ERR_BUFFER_TOO_LARGE") return null;
    throw error;
  }
}
async function decompressedInPieces(chunks, contentEncoding, limitBytes) {
  const { decoderFor } = await import("./stream-decompression.js");
  const text = new TextDecoder();
  let all = "";
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const take = (piece) => {
      bytes += piece.length;
      if (bytes <= limitBytes) {
        all += text.decode(piece, { stream: true });
        return;
      }
      stream.discard();
      reject(new ResponseTooLarge(limitBytes));
    };
    const stream = decoderFor(contentEncoding, chunks[0] ?? EMPTY, take);
    for (const chunk of chunks) stream.write(chunk);
    stream.end().then(() => resolve(all + text.decode()), reject);
  });
}
async function decodedInPieces(chunks) {
  const text = new TextDecoder();
  let all = "";
  let bytes = 0;
  for (const chunk of chunks) {
    all += text.decode(chunk, { stream: true });
    bytes += chunk.length;
    if (bytes > PIECE_BYTES) {
      bytes = 0;
      await turnOfEventLoop();
    }
  }
  return all + text.decode();
}
function decode(chunks) {
  const [only = EMPTY] = chunks;
  const text = (chunks.length > 1 ? Buffer.concat(chunks) : only).toString("utf8");
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}
export {
  ACCEPT_ENCODING,
  BufferedResponse,
  bodyText
};
