// Replaces graphql for graphql-request. The build fails when a new version imports something else.
export { Kind, parse, print } from '../src/request/graphql-parts.js';
