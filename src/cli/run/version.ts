// The version of the package, which the build puts into the bundle.
import manifest from '../../../package.json' with { type: 'json' };

export const version: string = manifest.version;
