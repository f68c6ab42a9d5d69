// The part of the SDK that a command needs to reach a service, loaded when it does. Not by way of index.ts, which brings along whatever
// any command uses of it.
export { configFolder } from '../auth/config-folder.js';
export { fileTokenStore } from '../auth/file-token-store.js';
export { FleetClient } from '../client.js';
export { fileGate } from '../request/file-gate.js';
export { quickFetch } from '../request/quick-fetch.js';
