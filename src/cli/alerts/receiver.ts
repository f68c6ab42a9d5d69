// Somebody who gets the events of a watch: a command, or an address.
import type { FleetEvent } from '../../telemetry/events/fleet-event.js';
import type { ReceiverName } from './watch-records.js';

export type DeliveryOutcome =
  | { readonly kind: 'taken' }
  /** It will never take this event. */
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** Whether other events would fail as well for the moment. */
      readonly isUnwell: boolean;
      /** How long it asks to be left alone. */
      readonly retryAfterMs: number | null;
    };

export interface Receiver {
  readonly name: ReceiverName;
  /** For messages. */
  readonly label: string;
  /** Gives it an event. The signal gives up. Rejects when the delivery could not be started, which is a failure. */
  deliver(event: FleetEvent, signal: AbortSignal): Promise<DeliveryOutcome>;
}
