// The source of dist/cli/bundle/run.cjs: the command line, and the kit for package commands, loaded
// with the first of them.
export { run } from '../src/cli/run/run.js';
export const kit = () => require('../src/kit/command.js');

// A package may find another copy of fleet-telematics. Its command still gets this program's
// classes.
const name = Symbol.for('fleet-telematics/kit');
if (!Reflect.has(globalThis, name)) Reflect.set(globalThis, name, kit);
