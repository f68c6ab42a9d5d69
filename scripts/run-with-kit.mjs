// The module that becomes dist/cli/bundle/run.cjs: the command line, and the kit for commands in packages, which is evaluated when
// the first of them is loaded. So a command in a package runs with the classes of the program.
export { run } from '../src/cli/run/run.js';
export const kit = () => require('../src/kit/command.js');
