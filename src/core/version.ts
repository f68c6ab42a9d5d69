// The version of the package. Bundled programs have no package.json, so `npm run release` writes it
// here.

const version = '0.1.0';

export const sdkVersion = version;

/** The default `User-Agent`; the client option `userAgent` replaces it. */
export const defaultUserAgent = `fleet-telematics/${version} node/${process.versions.node}`;
