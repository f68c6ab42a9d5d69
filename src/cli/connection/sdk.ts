// The part of the SDK that a command needs to reach a service, loaded on demand. It does not import index.ts, which would load the rest
// of the SDK as well.
export { fileTokenStore } from '../../auth/file-token-store.js';
export { FleetClient } from '../../client.js';
export { fileGate } from '../../locks/file-gate.js';
export { shortLivedFetch } from '../../transport/short-lived-transport.js';
