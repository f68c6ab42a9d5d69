// What is chosen: a vehicle, its day and a time of it, and maybe a second vehicle to compare with. It is chosen by hand, or by a link.
import type { Comparison } from './comparison.js';
import type { DayView } from './day-view.js';
import type { Link } from './link.js';

export interface ChoiceModel {
  readonly day: DayView;
  readonly compared: Comparison;
}

export class Choice {
  readonly #day: DayView;
  readonly #compared: Comparison;
  /** Another vehicle is chosen, or none. */
  readonly #onVehicle: () => void;

  constructor({ day, compared }: ChoiceModel, onVehicle: () => void) {
    this.#day = day;
    this.#compared = compared;
    this.#onVehicle = onVehicle;
  }

  /** As a link has it. */
  get link(): Link {
    const { vehicleId, day } = this.#day;
    return { vehicle: vehicleId, day, at: this.#day.linkAt(), compared: this.#compared.vehicleId };
  }

  /** What is chosen when a link does not name a day. */
  get defaultDay(): string | null {
    return this.#day.defaultDay;
  }

  /** By hand: the day and the time stay. Null: none. */
  choose(vehicleId: string | null): void {
    this.#compared.choose(null);
    if (vehicleId === null) this.#day.close();
    else this.#day.choose(vehicleId, this.#day.day ?? this.#day.defaultDay, this.#day.linkAt());
    this.#onVehicle();
  }

  follow(link: Link): void {
    const { vehicle, day, at } = link;
    const compared = vehicle === null || vehicle === link.compared ? null : link.compared;
    const now = this.link;
    if (vehicle === now.vehicle && day === now.day && at === now.at && compared === now.compared) return;
    if (vehicle === null) this.#day.close();
    else this.#day.choose(vehicle, day ?? this.#day.defaultDay, at);
    this.#compared.choose(compared);
    this.#onVehicle();
  }
}
