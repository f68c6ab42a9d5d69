// What is chosen: a vehicle, its day and a time of it, and maybe a second vehicle to compare with; or a geofence in place of a vehicle. It is chosen
// by hand, or by a link.
import type { Comparison } from './comparison.js';
import type { DayView } from './day-view.js';
import type { Fence } from './fence.js';
import { type Link, writeLink } from './link.js';
import type { PlacePanel } from './place-panel.js';
import type { ShownFleet } from './shown-fleet.js';

export interface ChoiceModel {
  readonly shown: ShownFleet;
  readonly day: DayView;
  readonly compared: Comparison;
  readonly place: PlacePanel;
  /** None until they have been read. */
  readonly fences: () => readonly Fence[];
}

export interface ChoiceEvents {
  /** Another vehicle or geofence is chosen, or none. */
  chosen(): void;
  /** A link has led to another geofence. */
  linked(fence: Fence): void;
}

export class Choice {
  readonly #model: ChoiceModel;
  readonly #events: ChoiceEvents;
  /** A link whose vehicle or geofence is not there. Nothing is chosen then, and the address stays as it is. */
  #missing: Link | null = null;

  constructor(model: ChoiceModel, events: ChoiceEvents) {
    this.#model = model;
    this.#events = events;
  }

  /** As a link has it. */
  get link(): Link {
    const { day, compared, place } = this.#model;
    return (
      this.#missing ?? {
        vehicle: day.vehicleId,
        day: day.day,
        at: day.linkAt(),
        compared: compared.vehicleId,
        place: place.fence?.geofence.id ?? null,
      }
    );
  }

  /** Whether a link leads to a vehicle that is not there. Of a geofence nothing is said: it may still be read. */
  get isVehicleMissing(): boolean {
    return (this.#missing?.vehicle ?? null) !== null;
  }

  /** What is chosen when a link does not name a day. */
  get defaultDay(): string | null {
    return this.#model.day.defaultDay;
  }

  /** By hand: a vehicle, of which the day and the time stay, or a geofence, or neither. */
  choose(vehicleId: string | null, fence: Fence | null): void {
    const { day, compared, place } = this.#model;
    this.#missing = null;
    compared.choose(null);
    if (vehicleId !== null) day.choose(vehicleId, day.day ?? day.defaultDay, day.linkAt());
    else if (day.vehicleId !== null) day.close();
    place.choose(fence);
    this.#events.chosen();
  }

  follow(link: Link): void {
    const { day, compared, place } = this.#model;
    const { vehicle } = link;
    const second = vehicle === null || vehicle === link.compared ? null : link.compared;
    const isMissing = this.#isMissing(link);
    const isSame = writeLink({ ...link, compared: second }) === writeLink(this.link);
    if (isSame && isMissing === (this.#missing !== null)) return;
    this.#missing = isMissing ? link : null;
    if (vehicle !== null && !isMissing) day.choose(vehicle, link.day ?? day.defaultDay, link.at);
    else if (day.vehicleId !== null) day.close();
    compared.choose(isMissing ? null : second);
    const fence = this.#fence(link);
    const isOther = fence !== place.fence;
    place.choose(fence);
    this.#events.chosen();
    if (fence !== null && isOther) this.#events.linked(fence);
  }

  /** After the vehicles or the geofences have changed: what was chosen may be gone, and what a link names may be there. */
  update(): void {
    const { link } = this;
    if (this.#isMissing(link) !== (this.#missing !== null)) this.follow(link);
  }

  #isMissing(link: Link): boolean {
    if (link.vehicle !== null) return !this.#model.shown.latest.markers.has(link.vehicle);
    return link.place !== null && this.#fence(link) === null;
  }

  #fence({ place }: Link): Fence | null {
    return this.#model.fences().find(({ geofence }) => geofence.id === place) ?? null;
  }
}
