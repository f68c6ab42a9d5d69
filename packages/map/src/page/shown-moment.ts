// Switches a live map between the current time and the slider's time.
import type { Comparison } from './comparison.js';
import type { DayView } from './day-view.js';
import type { FleetMap } from './fleet-map.js';
import type { ScreenTime } from './screen-time.js';
import type { ShownFleet } from './shown-fleet.js';

export interface ShownMomentModel {
  readonly day: DayView;
  readonly compared: Comparison;
  readonly shown: ShownFleet;
  readonly time: ScreenTime;
  readonly map: FleetMap;
}

export interface ShownMomentEvents {
  switched(isPast: boolean): void;
  moved(): void;
}

export class ShownMoment {
  readonly #model: ShownMomentModel;
  readonly #events: ShownMomentEvents;

  constructor(model: ShownMomentModel, events: ShownMomentEvents) {
    this.#model = model;
    this.#events = events;
  }

  show(): void {
    const { day, shown, time, map } = this.#model;
    const wasPast = shown.isPast;
    if (day.isPast) this.#showPast();
    else shown.showLatest();
    const { isPast } = shown;
    if (wasPast !== isPast) this.#events.switched(isPast);
    else if (isPast) this.#events.moved();
    map.drawFleet();
    time.show();
  }

  keepVisible(wasVisible: boolean): void {
    const { map, shown } = this.#model;
    if (wasVisible && !map.camera.isVisible(shown.marker)) map.camera.centre(shown.marker);
  }

  #showPast(): void {
    const { day, compared, shown, time, map } = this.#model;
    const { chosen, second, marker } = shown;
    const wasVisible = map.camera.isVisible(marker);
    const at = day.at ?? time.now;
    const first = chosen === null ? null : day.vehicle(chosen);
    const other = second === null ? null : compared.vehicle(second, at);
    shown.showPast(
      at,
      [first, other].filter((each) => each !== null),
    );
    this.keepVisible(wasVisible);
  }
}
