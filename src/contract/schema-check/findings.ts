import type { OperationName } from '../../generated/operation-table.js';

/** The result for one operation with its default selection. */
export interface OperationFinding {
  readonly operation: OperationName;
  readonly status: 'works' | 'breaks' | 'unknown';
  /** Errors of the service, or why it is unknown; empty when it works. */
  readonly reasons: readonly string[];
}

/** The result for one assumption (`@assumed` in schema.graphql), not shown by the contract. */
export interface AssumptionFinding {
  /** `Vehicle.version`, `scalar Timestamp`, `type LatestValue` or `input VehicleInput`. */
  readonly where: string;
  readonly part: 'LEAF_TYPE' | 'STRUCTURE' | 'INPUT';
  readonly status: 'confirmed' | 'refuted' | 'unknown';
  /** The difference, or why it is unknown; null when confirmed. */
  readonly detail: string | null;
}

/** A new part, or a difference in a part that the contract shows. */
export interface SchemaChange {
  readonly kind: 'removed' | 'changed' | 'added';
  /** `Vehicle.vin`, `getVehicles`, `getVehicles(filter)` or `AssignDriverInput.vehicleId`. */
  readonly where: string;
  readonly what: string;
  /** Operations whose default selection or arguments are affected. */
  readonly operations: readonly OperationName[];
}

export interface SchemaReport {
  /** `probing`: introspection was refused, so each operation was sent. */
  readonly source: 'introspection' | 'probing';
  readonly operations: readonly OperationFinding[];
  readonly assumptions: readonly AssumptionFinding[];
  /** Empty under probing, which only finds what breaks. */
  readonly changes: readonly SchemaChange[];
}
