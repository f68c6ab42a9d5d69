// The module that becomes dist/cli/bundle/run.cjs: the command line, and the kit for commands in packages, which is evaluated when the
// first of them is loaded.
export { run } from '../src/cli/run/run.js';
export const kit = () => require('../src/kit/command.js');

// A package may find another copy of fleet-telematics than the program that runs. Its command gets the classes of the program all the same.
const name = Symbol.for('fleet-telematics/kit');
if (!Reflect.has(globalThis, name)) Reflect.set(globalThis, name, kit);
