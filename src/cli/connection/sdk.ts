// The part of the SDK that a command needs to reach a service, loaded when it does. Not by way of index.ts, which brings along whatever
// any command uses of it.

export { fileTokenStore } from '../../auth/file-token-store.js';
export { FleetClient } from '../../client.js';
export { configFolder } from '../../core/config-folder.js';
export { fileGate } from '../../locks/file-gate.js';
export { shortLivedFetch } from '../../transport/short-lived-transport.js';
