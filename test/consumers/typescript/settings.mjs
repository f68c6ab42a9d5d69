// The tested versions of TypeScript, oldest first, with `module` and `moduleResolution`.
export const settings = [
  ['5.0', 'commonjs', 'CommonJS', 'node10'],
  ['5.0', 'esm', 'Node16', 'Node16'],
  ['5.4', 'commonjs', 'Preserve', 'Bundler'],
  ['5.9', 'commonjs', 'Node16', 'Node16'],
  ['5.9', 'esm', 'ESNext', 'Bundler'],
  // TypeScript finds no names for declarations of a file that does not import the package itself.
  ['6.0', 'commonjs', 'CommonJS', 'Bundler', '--declaration', 'false'],
  ['6.0', 'commonjs', 'Node18', 'Node16'],
  ['7.0', 'commonjs', 'NodeNext', 'NodeNext'],
  ['7.0', 'esm', 'Node20', 'NodeNext'],
].map(([version, program, module, moduleResolution, ...others]) => ({
  version,
  program,
  options: ['--module', module, '--moduleResolution', moduleResolution, ...others],
  out: `${program}/out/${version}-${module}`,
}));
