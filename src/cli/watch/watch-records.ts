// The stored state of a watch. The records that change it are replayed when its journal is read.
import type { FleetEvent } from '../../telemetry/events/fleet-event.js';
import type { FoundPart } from '../../telemetry/events/fleet-events.js';
import type { WatchedState } from '../../telemetry/events/vehicle-state.js';

/** Version of the records; a file of another version is refused. */
export const WATCH_VERSION = 2;

export type ReceiverName = 'exec' | 'post';

/** Changed states of vehicles, with the events that follow from them. */
interface RoundRecord extends FoundPart {
  readonly kind: 'round';
  readonly receivers: readonly ReceiverName[];
}

/** An event that was delivered or added to the dead letters. */
interface DoneRecord {
  readonly kind: 'done';
  readonly receiver: ReceiverName;
  readonly id: string;
}

export interface OwnerRecord {
  readonly kind: 'owner';
  readonly version: typeof WATCH_VERSION;
  /** Service and user. */
  readonly owner: string;
}

export type WatchRecord = RoundRecord | DoneRecord | OwnerRecord;

export class StoredWatchState {
  readonly vehicles = new Map<string, WatchedState>();
  /** Hash of each geofence's shape; null before they were read. */
  geofences: ReadonlyMap<string, string> | null = null;
  readonly #waiting: Readonly<Record<ReceiverName, Map<string, FleetEvent>>> = { exec: new Map(), post: new Map() };

  /** Returns the pending events of a receiver, the oldest first. */
  waitingFor(receiver: ReceiverName): readonly FleetEvent[] {
    return [...this.#waiting[receiver].values()];
  }

  /** Applies a record of the journal to the state. */
  applyRecord(record: WatchRecord): void {
    switch (record.kind) {
      case 'round':
        for (const [id, state] of record.vehicles) {
          if (state === null) this.vehicles.delete(id);
          else this.vehicles.set(id, state);
        }
        if (record.geofences) this.geofences = new Map(record.geofences);
        for (const receiver of record.receivers) this.#add(receiver, record.events);
        break;
      case 'done':
        this.#waiting[record.receiver].delete(record.id);
    }
  }

  /** Clears the states, for a new start. Pending events stay. */
  clearVehicleStates(): void {
    this.vehicles.clear();
    this.geofences = null;
  }

  /** Returns the state as small records, so that file damage loses little. */
  records(owner: string): readonly WatchRecord[] {
    const round = { kind: 'round', vehicles: [], events: [], receivers: [] } as const;
    const own = { kind: 'owner', version: WATCH_VERSION, owner } as const;
    return [
      own,
      ...[...this.vehicles].map((vehicle) => ({ ...round, vehicles: [vehicle] })),
      ...(!this.geofences?.size ? [] : [{ ...round, geofences: [...this.geofences] }]),
      ...(['exec', 'post'] as const).flatMap((receiver) =>
        this.waitingFor(receiver).map((event) => ({ ...round, events: [event], receivers: [receiver] })),
      ),
      own,
    ];
  }

  #add(receiver: ReceiverName, events: readonly FleetEvent[]): void {
    for (const event of events) this.#waiting[receiver].set(event.id, event);
  }
}
