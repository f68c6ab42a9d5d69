import { attribute } from "./names.js";
class HttpAttributes {
  #known = /* @__PURE__ */ new Map();
  /** Few values each, so that metrics may have them too. */
  of({ method, url, path }) {
    const known = this.#known.get(url);
    if (known) return known;
    const { protocol, hostname, port } = new URL(url);
    const attributes = {
      [attribute.method]: method,
      [attribute.path]: path,
      [attribute.scheme]: protocol.slice(0, -1),
      [attribute.host]: hostname.replace(/^\[(.*)\]$/, "$1"),
      [attribute.port]: port === "" ? protocol === "https:" ? 443 : 80 : Number(port)
    };
    this.#known.set(url, attributes);
    return attributes;
  }
}
export {
  HttpAttributes
};
