import manifest from "../../../package.json" with { type: "json" };
const version = manifest.version;
export {
  version
};
