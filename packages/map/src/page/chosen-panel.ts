// Fills the panel with vehicle, day and comparison; hides it without a vehicle.
import type { MapSetup, MapVehicle } from '../shapes.js';
import type { Comparison } from './comparison.js';
import type { DayView } from './day-view.js';
import type { Days } from './days.js';
import type { Fence } from './fence.js';
import { placeNear } from './fence-distance.js';
import type { FileSource } from './file-source.js';
import type { Formats } from './format.js';
import type { Header } from './header.js';
import { arranged, NameOrder } from './list-order.js';
import { Panel, type PanelModel } from './panel.js';
import type { ScreenTime } from './screen-time.js';
import type { ShownFleet } from './shown-fleet.js';
import type { DayState } from './source.js';
import { pageSentence } from './words/problem-sentences.js';

export interface ChosenPanelModel {
  readonly setup: MapSetup;
  readonly formats: Formats;
  readonly file: FileSource | null;
  readonly header: Header;
  readonly shown: ShownFleet;
  readonly time: ScreenTime;
  readonly day: DayView;
  readonly compared: Comparison;
  /** Smallest first. */
  readonly fences: () => readonly Fence[];
}

export interface ChosenPanelEvents {
  close(): void;
  chosen(): void;
  /** A trip, a stop or an event is about to be shown on the map. */
  going(): void;
}

export class ChosenPanel {
  readonly #panel: Panel;
  readonly #model: ChosenPanelModel;
  readonly #names = new NameOrder();
  #announced: DayState['kind'] = 'loading';

  constructor(model: ChosenPanelModel, { close, chosen, going }: ChosenPanelEvents) {
    this.#model = model;
    const { formats, day, compared } = model;
    this.#panel = new Panel(formats, daysOf(model), {
      close,
      chooseDay: (one) => {
        chosen();
        day.choose(day.vehicleId, one, null);
      },
      retry: () => day.retry(),
      goTo: (from, to) => {
        going();
        day.goTo(from, to);
      },
      compare: {
        choose: (id) => {
          chosen();
          compared.choose(id);
        },
        retry: () => compared.retry(),
      },
    });
  }

  show(): void {
    const { shown, time, day } = this.#model;
    const vehicle = this.#placed(shown.shownChosen);
    if (vehicle === null) {
      this.#panel.hide();
      return;
    }
    const comparison = this.#comparisonWith(vehicle.id);
    const { day: date, state: dayState } = day;
    this.#panel.show({ vehicle, day: date, dayState, now: time.shownNow, time: time.time, comparison });
  }

  /** Announces each state once, for screen readers. */
  announce(): void {
    const { header, day } = this.#model;
    const { state } = day;
    if (state.kind === this.#announced) return;
    this.#announced = state.kind;
    if (state.kind === 'loaded') header.announce([pageSentence(this.#panel.summary(state.day))]);
    if (state.kind === 'failed') header.announce(state.said);
  }

  focus(): void {
    this.#panel.focus();
  }

  redraw(): void {
    this.#panel.redraw();
  }

  /** Adds the nearby place. For the past, the server names only the places of stops. */
  #placed(vehicle: MapVehicle | null): MapVehicle | null {
    if (vehicle === null || vehicle.place !== null) return vehicle;
    const { latitude, longitude } = vehicle;
    if (latitude === null || longitude === null) return vehicle;
    return { ...vehicle, place: placeNear(this.#model.fences(), { latitude, longitude }) };
  }

  #comparisonWith(vehicleId: string): PanelModel['comparison'] {
    const { file, shown, compared } = this.#model;
    const { shownSecond } = shown;
    // The second vehicle of a link may not be visible.
    if (shownSecond === null && shown.latest.at !== null) compared.choose(null);
    const days = file?.days;
    const others = [...shown.latest.markers.values()]
      .map(({ vehicle }) => vehicle)
      .filter(({ id }) => id !== vehicleId && (days === undefined || days.has(id)));
    return {
      second: shownSecond,
      secondState: compared.state,
      others: arranged(others, { query: '', only: new Set(), sort: 'name' }, this.#names),
    };
  }
}

function daysOf({ setup, formats, time }: ChosenPanelModel): Days {
  return setup.kind === 'file'
    ? { kind: 'some', days: setup.dates.map(({ day }) => day) }
    : { kind: 'any', latest: () => formats.fleetDay(time.now) };
}
