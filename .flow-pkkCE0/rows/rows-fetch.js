import { isLoopback } from "../core/base-url.js";
import { AbortFlag } from "../core/deadline.js";
import { decompressedLimit, ResponseTooLarge } from "../transport/response-limits.js";
import { decoderFor } from "../transport/stream-decompression.js";
import { ListReader } from "./list-reader.js";
import { BatchedRows } from "./list-rows.js";
import { RowBuffer } from "./row-buffer.js";
import { RowScanner } from "./row-scanner.js";
class RowBodies {
  #limit;
  /** Nobody but answers that are read holds it, so a client that reads no rows keeps no memory for them. */
  #memory = null;
  constructor(limit) {
    this.#limit = limit;
  }
  /** For the answer to one request. */
  bodyOf({ byName, isOnly }) {
    const [only] = byName;
    return only && isOnly ? new BodyOfList(...only, this.#rowMemory(), this.#limit) : new BodyOfLists(byName.keys(), this.#limit);
  }
  #rowMemory() {
    const memory = this.#memory?.deref() ?? new RowBuffer();
    this.#memory = new WeakRef(memory);
    return memory;
  }
}
function rowsFetch(fetch, body, left) {
  return (url, init) => {
    const encodings = rowEncodings(url);
    return fetchInto(body, left, fetch, url, { ...init, headers: { ...init.headers, ...encodings } });
  };
}
class BodyOfList {
  #field;
  #list;
  #reader;
  #limit;
  lists = null;
  constructor(field, list, memory, limit) {
    this.#field = field;
    this.#list = list;
    this.#limit = limit;
    this.#reader = new ListReader(field, memory);
    list.onArriving?.(this.#reader);
  }
  get bytes() {
    return this.#reader.bytes;
  }
  get wasRead() {
    return this.#reader.wasRead;
  }
  take(bytes, compressedBytes) {
    this.#reader.feed(bytes);
    const most = Math.min(this.#list.maxBytes, limitOf(compressedBytes, this.#limit));
    if (this.#reader.unreadBytes > most) return new ResponseTooLarge(most);
    return this.#list.onBytes?.();
  }
  end() {
    const rest = this.#reader.end();
    this.lists = new Map(this.#reader.hasList ? [[this.#field, this.#reader]] : []);
    return rest;
  }
  discard() {
    this.#reader.discard();
  }
}
class BodyOfLists {
  #scanner;
  #limit;
  bytes = 0;
  lists = null;
  wasRead = false;
  constructor(names, limit) {
    this.#scanner = new RowScanner(names);
    this.#limit = limit;
  }
  take(bytes, compressedBytes) {
    this.bytes += bytes.length;
    const most = limitOf(compressedBytes, this.#limit);
    if (this.bytes > most) return new ResponseTooLarge(most);
    this.#scanner.feed(bytes);
    return void 0;
  }
  end() {
    const { lists, rest } = this.#scanner.end();
    this.lists = new Map([...lists].map(([name, batches]) => [name, new BatchedRows(batches)]));
    return rest;
  }
  discard() {
    this.lists = null;
  }
}
function limitOf(compressedBytes, limit) {
  return compressedBytes === 0 ? limit.maxBytes : decompressedLimit(compressedBytes, limit);
}
async function fetchInto(body, left, fetch, url, init) {
  const giveUp = new AbortFlag();
  let decoder = null;
  let held;
  let compressedBytes = 0;
  const take = (bytes) => {
    if (giveUp.aborted) return;
    const taken = body.take(bytes, compressedBytes);
    if (taken instanceof ResponseTooLarge) giveUp.abort(taken);
    else held = taken;
  };
  const onData = (chunk, contentEncoding) => {
    compressedBytes += chunk.length;
    if (left.aborted) giveUp.abort();
    if (giveUp.aborted) return void 0;
    decoder ??= decoderFor(contentEncoding, chunk, take);
    decoder.write(chunk);
    return held;
  };
  const onAbort = () => giveUp.abort(init.signal?.reason);
  const onLeft = () => {
    if (compressedBytes > 0) giveUp.abort();
  };
  const close = () => {
    init.signal?.removeEventListener("abort", onAbort);
    left.removeEventListener("abort", onLeft);
  };
  const discard = (error) => {
    close();
    decoder?.discard();
    throw error;
  };
  if (init.signal?.aborted) onAbort();
  init.signal?.addEventListener("abort", onAbort);
  left.addEventListener("abort", onLeft);
  const response = await fetch(url, { ...init, signal: giveUp, onData }).catch(discard);
  const { ok, status, headers } = response;
  if (!ok) {
    close();
    return response;
  }
  const text = async () => {
    const whole = await response.text().catch(discard);
    await decoder?.end().catch(discard);
    close();
    if (whole !== "") take(Buffer.from(whole));
    if (giveUp.aborted) throw giveUp.reason;
    return body.end();
  };
  return {
    ok,
    status,
    headers,
    text,
    json: async () => JSON.parse(await text()),
    get bytes() {
      return body.lists === null ? void 0 : body.bytes;
    }
  };
}
function rowEncodings(baseUrl) {
  return { "accept-encoding": isLoopback(new URL(baseUrl)) ? "identity" : "gzip, deflate" };
}
export {
  RowBodies,
  rowsFetch
};
