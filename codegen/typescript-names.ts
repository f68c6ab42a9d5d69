// TypeScript names for names of the contract, for codegen.ts and docs/methods.md.

export const scalars = {
  UUID: 'string',
  Long: 'number',
  DateTime: { input: 'string | Date', output: 'string' },
  JSON: { input: 'object', output: '{ [key: string]: unknown }' },
  Timestamp: '../core/dates.js#Timestamp',
  Version: 'unknown',
};

/** Records that the contract names after the operation that returns them. */
export const recordNames = {
  ChangeGeofenceGroupsOutput: 'GeofenceGroupChange',
  ChangeVehicleGroupsOutput: 'VehicleGroupChange',
};
