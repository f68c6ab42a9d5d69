// The selection: a vehicle with day, time and second vehicle, or a geofence; by hand or by a link.
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
  readonly fences: () => readonly Fence[];
}

export interface ChoiceEvents {
  chosen(): void;
  linked(fence: Fence): void;
}

export class MapSelection {
  readonly #model: ChoiceModel;
  readonly #events: ChoiceEvents;
  /** A link to a missing vehicle or geofence. Nothing is selected, and the address stays. */
  #missing: Link | null = null;

  constructor(model: ChoiceModel, events: ChoiceEvents) {
    this.#model = model;
    this.#events = events;
  }

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

  /** True when the vehicle of a link is missing. A missing geofence may still be loading. */
  get isVehicleMissing(): boolean {
    return (this.#missing?.vehicle ?? null) !== null;
  }

  get defaultDay(): string | null {
    return this.#model.day.defaultDay;
  }

  /** Selects a vehicle (keeping day and time), a geofence, or neither. */
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

  /** Re-evaluates the link after vehicles or geofences have changed. */
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
