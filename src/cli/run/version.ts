// The version of the package. The build puts it into the bundle.
import manifest from '../../../package.json' with { type: 'json' };

export const version: string = manifest.version;
