// The interface of a client for programs whose tests use a fake. A test checks that the client has
// it; an `implements` would be checked by the compiler of every program.
import type { BaseClient } from './base-client.js';
import type { RecordOperation, ResultOf, Selection, SelectOptions, Unselected } from './contract/selection/types.js';
import type { CallOptions, MutationOptions } from './core/operation.js';
import type { FleetOperations } from './generated/methods.js';
import type { OperationName, OperationTypes } from './generated/operation-table.js';
import type { VehiclesStreamOptions } from './telemetry/streams/stream-snapshots.js';
import type { VehiclePeriod, VehiclesPeriod } from './telemetry/streams/vehicles-in-period.js';
import type { PeriodTripOptions, TripOf } from './telemetry/trips/trip.js';

type Methods = Pick<FleetOperations, OperationName>;

/**
 * The methods of a client. A function that takes a `Pick<FleetApi, 'getVehicles'>` gets a
 * {@link FleetClient} from the program. A test passes a fake without casts: an object, a class or
 * mock functions. Rows of a fake need only the fields that the function reads.
 */
export interface FleetApi
  extends OperationMethods,
    Omit<BaseClient, OperationName | 'forUser' | 'fork' | 'streamTrips'> {
  forUser(...user: Parameters<BaseClient['forUser']>): FleetApi;
  fork(): FleetApi;
  /** Returns the trips of a client, or of any async generator of a fake. */
  streamTrips<Track extends boolean = false, Details extends boolean | 'parts' = false>(
    variables: VehiclePeriod | VehiclesPeriod,
    options?: CallOptions & PeriodTripOptions<Track, Details> & VehiclesStreamOptions,
  ): AsyncIterable<TripOf<Track, Details>>;
}

type OperationMethods = {
  [Name in keyof Methods]: Name extends RecordOperation
    ? [] extends Parameters<Methods[Name]>
      ? OptionalMethod<Name>
      : RequiredMethod<Name>
    : Methods[Name];
};

/**
 * The arguments of an overload that is never called. TypeScript compares a function with a generic
 * one by its type parameters, which no fake has; an overload makes it compare with `any` instead.
 * Nine arguments, so that no compiler message is about this overload.
 */
type Nine = [never, never, never, never, never, never, never, never, never];

interface RequiredMethod<Name extends RecordOperation> {
  (...never: Nine): unknown;
  <Select extends Selection<Name> | Unselected | undefined>(
    variables: OperationTypes[Name]['variables'],
    options?: SelectOptions<Name, Select> & MutationOptions,
  ): Promise<Answer<Name, Select>>;
}

interface OptionalMethod<Name extends RecordOperation> {
  (...never: Nine): unknown;
  <Select extends Selection<Name> | Unselected | undefined>(
    variables?: OperationTypes[Name]['variables'],
    options?: SelectOptions<Name, Select>,
  ): Promise<Answer<Name, Select>>;
}

/** The result of a method; for a fake, where `Select` is `any`, parts of it. */
type Answer<Name extends RecordOperation, Select> = 0 extends 1 & Select
  ? Parts<OperationTypes[Name]['result']>
  : ResultOf<Name, Select>;

type Parts<Value> = Value extends readonly (infer Item)[]
  ? Parts<Item>[]
  : Value extends object
    ? { [Key in keyof Value]?: Parts<Value[Key]> | undefined }
    : Value;
