// What a watch keeps: what it remembers of each vehicle, and the events that receivers have not taken yet. Records change it, the same ones
// while it runs and when it is read from its file again.
import type { AlertEvent } from '../views/alert.js';
import type { VehicleMemory } from './vehicle-memory.js';

export type ReceiverName = 'exec' | 'post';

/** What one look at the fleet has changed, together with the events that follow from it. */
export interface RoundRecord {
  readonly kind: 'round';
  /** Null for a vehicle that is gone. */
  readonly vehicles: readonly (readonly [id: string, memory: VehicleMemory | null])[];
  /** All geofences, each with a hash of its shape; not there when none has changed. */
  readonly geofences?: readonly (readonly [id: string, shape: string])[];
  readonly events: readonly AlertEvent[];
  /** Who is to get the events. */
  readonly receivers: readonly ReceiverName[];
}

/** A receiver has taken an event, or it is among the dead letters. */
export interface DoneRecord {
  readonly kind: 'done';
  readonly receiver: ReceiverName;
  readonly id: string;
}

/** The owner of a file. */
export interface OwnerRecord {
  readonly kind: 'owner';
  readonly version: 1;
  /** Service and user. */
  readonly owner: string;
}

export type WatchRecord = RoundRecord | DoneRecord | OwnerRecord;

export class WatchKnowledge {
  readonly vehicles = new Map<string, VehicleMemory>();
  /** A hash of the shape of each geofence; null before they were read. */
  geofences: ReadonlyMap<string, string> | null = null;
  readonly #waiting: Readonly<Record<ReceiverName, Map<string, AlertEvent>>> = { exec: new Map(), post: new Map() };

  /** The events that a receiver has not taken yet, the oldest first. */
  waitingFor(receiver: ReceiverName): readonly AlertEvent[] {
    return [...this.#waiting[receiver].values()];
  }

  take(record: WatchRecord): void {
    switch (record.kind) {
      case 'round':
        for (const [id, memory] of record.vehicles) {
          if (memory === null) this.vehicles.delete(id);
          else this.vehicles.set(id, memory);
        }
        if (record.geofences) this.geofences = new Map(record.geofences);
        for (const receiver of record.receivers) this.#add(receiver, record.events);
        break;
      case 'done':
        this.#waiting[record.receiver].delete(record.id);
    }
  }

  /** For a watch that begins anew. What receivers have not taken stays. */
  forgetFleet(): void {
    this.vehicles.clear();
    this.geofences = null;
  }

  /** Returns everything in small records: damage of the file costs little. The owner is at both ends. */
  records(owner: string): readonly WatchRecord[] {
    const round = { kind: 'round', vehicles: [], events: [], receivers: [] } as const;
    const own = { kind: 'owner', version: 1, owner } as const;
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

  #add(receiver: ReceiverName, events: readonly AlertEvent[]): void {
    for (const event of events) this.#waiting[receiver].set(event.id, event);
  }
}
