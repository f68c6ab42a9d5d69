// Stands in for graphql where graphql-request imports it. The build fails when a new version imports something else.
export { Kind } from 'graphql/language/kinds.js';
export { parse } from 'graphql/language/parser.js';
export { print } from 'graphql/language/printer.js';
