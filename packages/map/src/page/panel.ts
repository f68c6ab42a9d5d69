// The panel of the selected vehicle: its state, its driver, and its day.
import { isAhead } from 'fleet-telematics/kit';
import type { MapDay, MapVehicle } from '../shapes.js';
import { type CompareEvents, type CompareModel, ComparePanel } from './compare-panel.js';
import { DayChoice } from './day-choice.js';
import { type DayItem, type DayList, listsOf } from './day-lists.js';
import { dayDistanceText, numbersOf } from './day-numbers.js';
import type { Days } from './days.js';
import { button, find, make, setText } from './dom.js';
import type { Formats, ShownTime } from './format.js';
import { displayName } from './list-order.js';
import { readingsAt, sumsOf } from './recorded.js';
import type { DayState } from './source.js';
import type { Language } from './words/language.js';
import { problemSentences } from './words/problem-sentences.js';
import { nodesOf } from './words/show-sentences.js';
import type { WordKey } from './words/words.js';

export interface PanelModel {
  readonly vehicle: MapVehicle;
  readonly day: string | null;
  readonly dayState: DayState;
  /** The service's time, or the slider's. */
  readonly now: number;
  readonly time: ShownTime;
  readonly comparison: Omit<CompareModel, 'first' | 'firstState'>;
}

export interface PanelEvents {
  readonly compare: CompareEvents;
  close(): void;
  chooseDay(day: string | null): void;
  retry(): void;
  goTo(from: number, to: number | null): void;
}

export class Panel {
  readonly #target = find('panel', HTMLElement);
  readonly #formats: Formats;
  readonly #events: PanelEvents;
  readonly #days: Days;
  readonly #title = make('h2', { id: 'panel-title', tabindex: '-1', dir: 'auto' });
  readonly #facts = make('dl', { class: 'facts' });
  readonly #content = make('div', { class: 'day' });
  readonly #compare: ComparePanel;
  readonly #dayChoice: DayChoice;
  /** State that the content was built from. */
  #shownState: DayState | null = null;
  /** The clicked item, while the slider is within its period. */
  #chosen: { readonly key: string; readonly from: number; readonly to: number } | null = null;
  readonly #toggled = new Map<string, boolean>();

  constructor(formats: Formats, days: Days, events: PanelEvents) {
    this.#formats = formats;
    this.#events = events;
    this.#days = days;
    this.#dayChoice = new DayChoice(formats, days, (day) => events.chooseDay(day));
    this.#compare = new ComparePanel(formats, events.compare);
    const close = button('×', () => events.close(), { class: 'close', 'aria-label': this.#language.text('close') });
    this.#target.append(
      make('div', { class: 'panel-head' }, this.#title, close),
      this.#dayChoice.target,
      this.#facts,
      this.#compare.target,
      this.#content,
    );
  }

  get #language(): Language {
    return this.#formats.language;
  }

  hide(): void {
    this.#target.hidden = true;
    this.#shownState = null;
    this.#chosen = null;
  }

  focus(): void {
    this.#title.focus();
  }

  show(model: PanelModel): void {
    this.#target.hidden = false;
    setText(this.#title, displayName(model.vehicle));
    this.#showFacts(model);
    this.#dayChoice.show(model.day);
    this.#compare.show({ ...model.comparison, first: model.vehicle, firstState: model.dayState });
    if (this.#chosen !== null && (model.now < this.#chosen.from || model.now > this.#chosen.to)) {
      this.#chosen = null;
      this.#markChosen();
    }
    if (this.#shownState === model.dayState) return;
    if (model.dayState.kind !== 'loaded') this.#chosen = null;
    this.#shownState = model.dayState;
    this.#showContent(model.dayState);
  }

  summary({ trips, stops, notes }: MapDay): string {
    if (trips.length === 0 && notes.length === 0) return this.#language.text('didNotDrive');
    const { km, isDoubted } = sumsOf(trips);
    return [
      this.#language.counted(trips.length, 'trip'),
      dayDistanceText(km, isDoubted, this.#formats),
      this.#language.counted(stops.length, 'stop'),
    ].join(' · ');
  }

  redraw(): void {
    this.#compare.redraw();
    this.#shownState = null;
  }

  #showFacts(model: PanelModel): void {
    const { vehicle, dayState, now, time } = model;
    const { status, speed, at, driver, plate, latitude, longitude, place } = vehicle;
    const day = dayState.kind === 'loaded' ? dayState.day : null;
    const assigned = time === 'past' ? null : (day?.assigned ?? null);
    const { odometerKm, tank } = readingsAt(day?.trips ?? [], now);
    const age = at === null ? 0 : Math.max(0, now - at);
    const seen = this.#seenText(at, age, model);
    // A value of late data is shown with its age.
    const dated = (text: string) => (time === 'late' ? `${text}, ${this.#formats.ago(age)}` : text);
    // For the past, only the day's data is known.
    const instead =
      time !== 'past' || day !== null ? null : dayState.kind === 'loading' ? this.#language.text('reading') : '';
    const facts: readonly (readonly [WordKey, string | null])[] = [
      ['status', instead ?? dated(this.#language.text(status))],
      ['speed', speed === null || status !== 'moving' ? null : dated(this.#formats.speed(speed))],
      [time === 'past' ? 'dataOf' : 'lastSeen', instead ?? seen],
      ['place', this.#formats.place(place)],
      ['driver', driver ?? assigned],
      ['assigned', assigned !== null && driver !== null && assigned !== driver ? assigned : null],
      ['odometer', odometerKm === null ? null : this.#formats.distance(odometerKm)],
      ['tank', tank === null ? null : this.#language.text('tankOf', { value: this.#language.whole(tank) })],
      ['plate', plate],
      [
        'position',
        latitude === null || longitude === null
          ? this.#noPositionText(at, day, now)
          : `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`,
      ],
    ];
    const shown = facts.filter((fact): fact is readonly [WordKey, string] => fact[1] !== null && fact[1] !== '');
    const currentNames = [...this.#facts.querySelectorAll('dt')].map((name) => name.textContent).join();
    if (currentNames !== shown.map(([name]) => this.#language.text(name)).join()) {
      this.#facts.replaceChildren(
        ...shown.flatMap(([name]) => [make('dt', {}, this.#language.text(name)), make('dd', { dir: 'auto' })]),
      );
    }
    this.#facts.querySelectorAll('dd').forEach((value, index) => {
      setText(value, shown[index]?.[1] ?? '');
      if (shown[index]?.[0] === 'status') value.dataset.status = status;
    });
  }

  #seenText(at: number | null, age: number, { now, time }: PanelModel): string {
    if (at === null) return this.#language.text(time === 'past' ? 'noDataYet' : 'noData');
    if (isAhead(at, now)) {
      return this.#language.text('clockAhead', { when: `${this.#formats.date(at)}, ${this.#formats.time(at)}` });
    }
    return [this.#formats.age(age, time), this.#formats.pastMoment(at, age)].filter(Boolean).join(' · ');
  }

  /** Returns null for a vehicle without data. */
  #noPositionText(at: number | null, day: MapDay | null, now: number): string | null {
    if (at === null) return null;
    const last = day?.lastFixAt ?? null;
    if (last === null || last > now) return this.#language.text('noPosition');
    return this.#language.text('noPositionSince', { when: this.#formats.moment(last) });
  }

  /** Rebuilds the content, keeping the focus and open sections. */
  #showContent(state: DayState): void {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
    this.#content.replaceChildren(...this.#dayContent(state));
    this.#markChosen();
    if (focused !== undefined) this.#itemOf(focused)?.focus({ preventScroll: true });
  }

  #dayContent(state: DayState): readonly Node[] {
    if (state.kind === 'loading') return [make('p', { class: 'quiet' }, this.#language.text('readingDay'))];
    if (state.kind === 'failed') {
      return [
        make('p', { class: 'failed' }, ...nodesOf(state.said)),
        button(this.#language.text('tryAgain'), () => this.#events.retry()),
      ];
    }
    const { trips, notes, warnings, track } = state.day;
    const sections = this.#sections(state.day);
    const isEmpty = track.times.length === 0 && trips.length === 0;
    const { fleetZone, zone } = this.#formats;
    const begins = this.#language.text('dayOfZone', {
      zone: fleetZone,
      when: `${this.#formats.moment(state.day.from)} ${zone}`,
    });
    return [
      ...(zone === fleetZone ? [] : [make('p', { class: 'quiet' }, begins)]),
      isEmpty || (trips.length === 0 && notes.length === 0)
        ? make('p', { class: 'summary' }, this.#language.text(isEmpty ? 'noPositions' : 'didNotDrive'))
        : this.#numbers(state.day),
      ...[...notes, ...warnings].map((note) =>
        make('p', { class: 'failed' }, ...nodesOf(problemSentences(note, this.#language))),
      ),
      ...(sections.length > 1 ? [this.#jumps(sections)] : []),
      ...sections,
    ];
  }

  #sections(day: MapDay): readonly HTMLDetailsElement[] {
    return listsOf(day, this.#formats, this.#days)
      .filter(({ items }) => items.length > 0)
      .map((list) => this.#section(list));
  }

  /** Sections below the trips are far down. */
  #jumps(sections: readonly HTMLDetailsElement[]): HTMLElement {
    const jumps = sections.map((section) => {
      const summary = section.querySelector('summary');
      return button(
        summary?.textContent?.replace(/[()]/g, '') ?? '',
        () => {
          section.open = true;
          section.scrollIntoView({ block: 'start' });
          summary?.focus({ preventScroll: true });
        },
        { class: 'jump' },
      );
    });
    return make('p', { class: 'jumps' }, ...jumps);
  }

  #numbers(day: MapDay): HTMLElement {
    const shown = numbersOf(day, this.#formats).flatMap(([name, value]) =>
      value === null ? [] : [make('div', {}, make('dt', {}, this.#language.text(name)), make('dd', {}, value))],
    );
    return make('dl', { class: 'numbers' }, ...shown);
  }

  /** Lists the latest item first; several days get date headings. */
  #section({ title, items, isOpenAtFirst }: DayList): HTMLDetailsElement {
    const days = new Set(items.map(({ at }) => this.#formats.day(at)));
    const list = make('ul', {});
    let day = '';
    for (const item of [...items].reverse()) {
      const own = this.#formats.day(item.at);
      if (own !== day && days.size > 1) list.append(make('li', { class: 'date' }, this.#formats.date(item.at)));
      day = own;
      list.append(make('li', {}, this.#item(item)));
    }
    const section = make(
      'details',
      { open: this.#toggled.get(title) ?? isOpenAtFirst },
      make('summary', {}, `${this.#language.text(title)} (${this.#language.whole(items.length)})`),
      list,
    );
    section.addEventListener('toggle', () => this.#toggled.set(title, section.open));
    return section;
  }

  #item({ key, title, about, goTo }: DayItem): HTMLElement {
    const onClick = () => {
      const [from, to] = goTo;
      this.#chosen = { key, from, to: to ?? from };
      this.#markChosen();
      this.#events.goTo(from, to);
    };
    const item = button('', onClick, { class: 'item', 'data-key': key });
    item.append(make('strong', {}, title), ...about.map((line) => make('span', {}, line)));
    return item;
  }

  #itemOf(key: string): HTMLElement | null {
    return this.#content.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  }

  #markChosen(): void {
    for (const item of this.#content.querySelectorAll('[data-key]')) {
      if (item instanceof HTMLElement && item.dataset.key === this.#chosen?.key)
        item.setAttribute('aria-current', 'true');
      else item.removeAttribute('aria-current');
    }
  }
}
