// The vehicles as the page shows them: where they are, and where they come from while they glide to a new place.
import type { LiveMessage, MapVehicle } from '../shapes.js';
import { xOf, yOf } from './mercator.js';

export interface Marker {
  vehicle: MapVehicle;
  /** In the square of the projection; NaN while the position is unknown. */
  x: number;
  y: number;
  fromX: number;
  fromY: number;
  /** When it set out, by the clock of the page. */
  since: number;
}

/** How long a vehicle glides to its new position. */
export const GLIDE_MS = 900;

export class Fleet {
  readonly markers = new Map<string, Marker>();
  /** The time of the last message, by the clock of the service. */
  at: number | null = null;
  /** Another one after each change. */
  version = 0;
  #glidesUntil = 0;

  /** `glides`: whether vehicles move visibly. A vehicle that was not there before is at its place at once. */
  take(message: Exclude<LiveMessage, { kind: 'problem' }>, now: number, glides: boolean): void {
    this.at = message.at;
    this.version++;
    if (message.kind === 'fleet') {
      const listed = new Set(message.vehicles.map(({ id }) => id));
      for (const id of [...this.markers.keys()]) if (!listed.has(id)) this.markers.delete(id);
    } else for (const id of message.gone) this.markers.delete(id);
    for (const vehicle of message.vehicles) this.#put(vehicle, now, glides);
  }

  #put(vehicle: MapVehicle, now: number, glides: boolean): void {
    const { latitude, longitude } = vehicle;
    const isKnown = latitude !== null && longitude !== null;
    const [x, y] = isKnown ? [xOf(longitude), yOf(latitude)] : [Number.NaN, Number.NaN];
    const before = this.markers.get(vehicle.id);
    if (before === undefined) {
      this.markers.set(vehicle.id, { vehicle, x, y, fromX: x, fromY: y, since: 0 });
      return;
    }
    if (before.x !== x || before.y !== y) {
      const moves = glides && !Number.isNaN(before.x) && isKnown;
      const part = moves ? progress(before, now) : 1;
      before.fromX = moves ? before.fromX + (before.x - before.fromX) * part : x;
      before.fromY = moves ? before.fromY + (before.y - before.fromY) * part : y;
      before.since = now;
      before.x = x;
      before.y = y;
      if (moves) this.#glidesUntil = now + GLIDE_MS;
    }
    before.vehicle = vehicle;
  }

  /** Whether a vehicle is on its way to a new place. */
  isGliding(now: number): boolean {
    return now < this.#glidesUntil;
  }
}

/** From 0 to 1: how far it has come. */
export function progress({ since }: Pick<Marker, 'since'>, now: number): number {
  const part = (now - since) / GLIDE_MS;
  return part <= 0 ? 0 : part >= 1 ? 1 : part;
}
