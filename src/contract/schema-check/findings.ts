// The types of the findings of a schema check.
import type { OperationName } from '../../generated/operation-table.js';

/** Whether one operation, with its default selection, is still understood by the service. */
export interface OperationFinding {
  readonly operation: OperationName;
  readonly status: 'works' | 'breaks' | 'unknown';
  /** What the service does not understand, or why it cannot be told; empty when it works. */
  readonly reasons: readonly string[];
}

/** Whether the service confirms one thing that the contract does not show and this package assumes (`@assumed` in schema.graphql). */
export interface AssumptionFinding {
  /** `Vehicle.version`, `scalar Timestamp`, `type LatestValue` or `input VehicleInput`. */
  readonly where: string;
  readonly part: 'LEAF_TYPE' | 'STRUCTURE' | 'INPUT';
  readonly status: 'confirmed' | 'refuted' | 'unknown';
  /** How the service differs, or why it cannot be told; null when confirmed. */
  readonly detail: string | null;
}

/** A difference in what the contract does show, or something that is new. */
export interface SchemaChange {
  readonly kind: 'removed' | 'changed' | 'added';
  /** `Vehicle.vin`, `getVehicles`, `getVehicles(filter)` or `AssignDriverInput.vehicleId`. */
  readonly where: string;
  readonly what: string;
  /** The operations whose default selection or arguments it touches. */
  readonly operations: readonly OperationName[];
}

export interface SchemaReport {
  /** `introspection`: the service described itself. `probing`: it does not, and was asked operation by operation. */
  readonly source: 'introspection' | 'probing';
  /** Every operation, in the order of the contract. */
  readonly operations: readonly OperationFinding[];
  readonly assumptions: readonly AssumptionFinding[];
  /** Empty under probing, which can only tell what breaks. */
  readonly changes: readonly SchemaChange[];
}
