// The commands that are packages of their own.

/** The package of each command that has one. */
export const commandPackages = {
  map: 'fleet-telematics-map',
  sync: 'fleet-telematics-sync',
  mcp: 'fleet-telematics-mcp',
} as const;

export type CommandPackage = (typeof commandPackages)[keyof typeof commandPackages];
