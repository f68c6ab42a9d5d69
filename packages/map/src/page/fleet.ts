// The displayed vehicles, and their animation to new positions.
import type { LiveMessage, MapVehicle } from '../shapes.js';
import { xOf, yOf } from './mercator.js';

export interface Marker {
  vehicle: MapVehicle;
  /** In the unit square; NaN while unknown. */
  x: number;
  y: number;
  fromX: number;
  fromY: number;
  /** Start of the animation, by the page clock. */
  since: number;
}

export const GLIDE_MS = 900;

export class MapFleet {
  readonly markers = new Map<string, Marker>();
  /** By the service's clock. */
  at: number | null = null;
  version = 0;
  #glidesUntil = 0;

  /** `glides`: true to animate moves. A new vehicle is not animated. */
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

  isGliding(now: number): boolean {
    return now < this.#glidesUntil;
  }
}

/** From 0 to 1. */
export function progress({ since }: Pick<Marker, 'since'>, now: number): number {
  const part = (now - since) / GLIDE_MS;
  return part <= 0 ? 0 : part >= 1 ? 1 : part;
}
