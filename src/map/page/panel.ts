// The panel of the chosen vehicle: its state, its driver, and what it did on a day.
import type { MapDay, MapProblem, MapVehicle } from '../shapes.js';
import { button, find, make, setText } from './dom.js';
import { ageText, counted, durationText, eventText, type Formats } from './format.js';
import { nameOf } from './list-order.js';

/** The day of the panel. */
export type DayState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly problem: MapProblem }
  | { readonly kind: 'loaded'; readonly day: MapDay };

export interface PanelModel {
  readonly vehicle: MapVehicle;
  /** `2026-03-01`; null for the whole period of a file. */
  readonly day: string | null;
  readonly dayState: DayState;
  /** The service's time, or the time of the slider. */
  readonly now: number;
}

export interface PanelEvents {
  close(): void;
  chooseDay(day: string | null): void;
  /** A trip, a stop or an event was chosen. */
  goTo(from: number, to: number | null): void;
}

/** The days to choose from. */
export type Days =
  | { readonly kind: 'any'; readonly latest: () => string }
  | { readonly kind: 'some'; readonly days: readonly string[] };

export class Panel {
  readonly #target = find('panel', HTMLElement);
  readonly #formats: Formats;
  readonly #events: PanelEvents;
  readonly #days: Days;
  readonly #title = make('h2', { id: 'panel-title', tabindex: '-1' });
  readonly #facts = make('dl', { class: 'facts' });
  readonly #content = make('div', { class: 'day', 'aria-live': 'polite' });
  readonly #chooser: HTMLInputElement | HTMLSelectElement;
  #shownState: DayState | null = null;

  constructor(formats: Formats, days: Days, events: PanelEvents) {
    this.#formats = formats;
    this.#events = events;
    this.#days = days;
    this.#chooser = days.kind === 'any' ? make('input', { type: 'date', id: 'day' }) : daySelect(days.days, formats);
    this.#chooser.addEventListener('change', () => events.chooseDay(this.#chooser.value || null));
    const close = button('×', () => events.close(), { class: 'close', 'aria-label': 'Close' });
    this.#target.append(
      make('div', { class: 'panel-head' }, this.#title, close),
      this.#facts,
      make('div', { class: 'day-choice' }, make('label', { for: 'day' }, 'Day'), this.#chooser),
      this.#content,
    );
    this.#target.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') events.close();
    });
  }

  hide(): void {
    this.#target.hidden = true;
    this.#shownState = null;
  }

  /** For a choice made with the keyboard. */
  focus(): void {
    this.#title.focus();
  }

  show(model: PanelModel): void {
    this.#target.hidden = false;
    setText(this.#title, nameOf(model.vehicle));
    this.#showFacts(model);
    this.#chooser.value = model.day ?? '';
    if (this.#days.kind === 'any') this.#chooser.setAttribute('max', this.#days.latest());
    if (this.#shownState === model.dayState) return;
    this.#shownState = model.dayState;
    this.#content.replaceChildren(...this.#dayContent(model.dayState));
  }

  /** After a change of the units. */
  redraw(): void {
    this.#shownState = null;
  }

  #showFacts({ vehicle, dayState, now }: PanelModel): void {
    const { status, speed, at, driver, plate, latitude, longitude } = vehicle;
    const assigned = dayState.kind === 'loaded' ? dayState.day.assigned : null;
    const seen = at === null ? 'no data' : `${ageText(Math.max(0, now - at))} · ${this.#formats.moment(at)}`;
    const facts: readonly (readonly [string, string | null])[] = [
      ['Status', status],
      ['Speed', speed === null || status !== 'moving' ? null : this.#formats.speed(speed)],
      ['Last seen', seen],
      ['Driver', driver ?? assigned],
      ['Assigned', assigned !== null && driver !== null && assigned !== driver ? assigned : null],
      ['Plate', plate],
      ['Position', latitude === null || longitude === null ? null : `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`],
    ];
    const shown = facts.filter((fact): fact is readonly [string, string] => fact[1] !== null && fact[1] !== '');
    const known = [...this.#facts.querySelectorAll('dt')].map((name) => name.textContent).join();
    if (known !== shown.map(([name]) => name).join()) {
      this.#facts.replaceChildren(...shown.flatMap(([name]) => [make('dt', {}, name), make('dd')]));
    }
    this.#facts.querySelectorAll('dd').forEach((value, index) => {
      setText(value, shown[index]?.[1] ?? '');
      if (shown[index]?.[0] === 'Status') value.dataset.status = status;
    });
  }

  #dayContent(state: DayState): readonly Node[] {
    if (state.kind === 'loading') return [make('p', { class: 'quiet' }, 'Reading the day…')];
    if (state.kind === 'failed') {
      const { message, hint } = state.problem;
      return [make('p', { class: 'failed' }, message), ...(hint === null ? [] : [make('p', { class: 'quiet' }, hint)])];
    }
    const { trips, stops, events, notes, warnings, track } = state.day;
    const km = trips.reduce((sum, trip) => sum + trip.km, 0);
    const top = Math.max(...trips.map(({ topSpeed }) => topSpeed ?? 0));
    const summary = [
      counted(trips.length, 'trip'),
      this.#distance(
        km,
        trips.some(({ isDoubted }) => isDoubted),
      ),
      ...(top > 0 ? [`up to ${this.#formats.speed(top)}`] : []),
    ].join(' · ');
    const drivers = new Set(trips.flatMap((trip) => trip.drivers));
    const isEmpty = track.times.length === 0;
    return [
      make('p', { class: 'summary' }, isEmpty ? 'There are no positions on this day.' : summary),
      ...[...notes, ...warnings].map((note) => make('p', { class: 'failed' }, note)),
      ...this.#section(
        'Trips',
        [...trips].reverse().map((trip) => this.#trip(trip, drivers.size > 1)),
        true,
      ),
      ...this.#section(
        'Stops',
        [...stops].reverse().map((stop) => this.#stop(stop)),
        false,
      ),
      ...this.#section(
        'Driver behaviour',
        [...events].reverse().map((event) => this.#event(event)),
        false,
      ),
    ];
  }

  #section(title: string, items: readonly HTMLElement[], isOpen: boolean): readonly Node[] {
    if (items.length === 0) return [];
    const list = make('ul', {}, ...items.map((item) => make('li', {}, item)));
    return [make('details', { open: isOpen }, make('summary', {}, `${title} (${items.length})`), list)];
  }

  #trip(
    { from, to, lastSeenAt, isStartKnown, km, isDoubted, topSpeed, drivers }: MapDay['trips'][number],
    namesDrivers: boolean,
  ): HTMLElement {
    const begin = `${isStartKnown ? '' : 'before '}${this.#formats.time(from)}`;
    const end = to === null ? 'under way' : this.#formats.time(to);
    const about = [
      this.#distance(km, isDoubted),
      durationText((to ?? lastSeenAt) - from),
      ...(topSpeed === null ? [] : [`up to ${this.#formats.speed(topSpeed)}`]),
      ...(namesDrivers ? drivers : []),
    ].join(' · ');
    return this.#item(`${begin} – ${end}`, about, () => this.#events.goTo(from, to ?? lastSeenAt));
  }

  #distance(km: number, isDoubted: boolean): string {
    return `${isDoubted ? 'about ' : ''}${this.#formats.distance(km)}`;
  }

  #stop({ from, to }: MapDay['stops'][number]): HTMLElement {
    const text =
      to === null ? `since ${this.#formats.time(from)}` : `${this.#formats.time(from)} – ${this.#formats.time(to)}`;
    return this.#item(text, to === null ? 'still there' : durationText(to - from), () => this.#events.goTo(from, null));
  }

  #event({ at, type }: MapDay['events'][number]): HTMLElement {
    return this.#item(this.#formats.seconds(at), eventText(type), () => this.#events.goTo(at, null));
  }

  #item(title: string, about: string, onClick: () => void): HTMLElement {
    const item = button('', onClick, { class: 'item' });
    item.append(make('strong', {}, title), make('span', {}, about));
    return item;
  }
}

function daySelect(days: readonly string[], formats: Formats): HTMLSelectElement {
  const select = make('select', { id: 'day' });
  // Noon, so that the date is the same in the zone of the map.
  const options = days.map((day) => make('option', { value: day }, formats.date(Date.parse(`${day}T12:00:00Z`))));
  select.append(
    make('option', { value: '' }, days.length === 1 ? 'Whole period' : `All ${days.length} days`),
    ...options,
  );
  return select;
}
