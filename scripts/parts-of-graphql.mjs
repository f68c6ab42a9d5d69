// Stands in for graphql where graphql-request imports it. The build fails when a new version imports something else.
export { Kind, parse, print } from '../src/request/graphql-parts.js';
