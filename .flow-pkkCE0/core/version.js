const version = "0.1.0";
const sdkVersion = version;
const defaultUserAgent = `fleet-telematics/${version} node/${process.versions.node}`;
export {
  defaultUserAgent,
  sdkVersion
};
