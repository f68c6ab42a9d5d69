// The version of the package, for programs that bundle it: package.json is not there then. `npm run release` writes it.

const version = '0.1.0';

/** What spans and metrics say of their origin. */
export const sdkVersion = version;

/** What requests say in `User-Agent` unless the client has a `userAgent` of its own. */
export const defaultUserAgent = `fleet-telematics/${version} node/${process.versions.node}`;
