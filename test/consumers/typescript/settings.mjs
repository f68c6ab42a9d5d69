// The versions of TypeScript, the oldest that the types need first, and the settings that programs compile with: `module` and `moduleResolution`.
export const settings = [
  ['5.0', 'commonjs', 'CommonJS', 'node10'],
  ['5.0', 'esm', 'Node16', 'Node16'],
  ['5.4', 'commonjs', 'Preserve', 'Bundler'],
  ['5.9', 'commonjs', 'Node16', 'Node16'],
  ['5.9', 'esm', 'ESNext', 'Bundler'],
  // Here TypeScript does not find names for declarations of a file that does not import the package itself.
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
