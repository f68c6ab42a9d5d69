import { Shared } from "../core/shared.js";
import { ignoresUnknownMembers } from "../variants/inputs.js";
import { DocumentCache } from "./document-cache.js";
import { streamingSchema } from "./row-stream.js";
import { buildServiceSchema } from "./schema.js";
const contracts = new Shared(4);
function contractOf(timestamps, variant, strict) {
  return contracts.get(JSON.stringify([timestamps, strict, variant]), () => {
    const standard = buildServiceSchema(timestamps, variant);
    let streaming = null;
    return {
      schemas: {
        standard,
        streaming: () => {
          streaming ??= streamingSchema(standard);
          return streaming;
        }
      },
      documents: new DocumentCache(standard, {
        dropsUnknownKeys: ignoresUnknownMembers(variant, strict),
        allowsIntrospection: variant.introspection !== "off"
      })
    };
  });
}
export {
  contractOf
};
