// The commands that are separate packages.

export const commandPackages = {
  map: 'fleet-telematics-map',
  sync: 'fleet-telematics-sync',
  mcp: 'fleet-telematics-mcp',
} as const;

export type CommandPackage = (typeof commandPackages)[keyof typeof commandPackages];
