// The displayed time and the age of its data. Old data must never look current.
import type { LiveMessage, MapSetup } from '../shapes.js';
import { DataAge, type Freshness, freshnessOf, type PageClock } from './data-age.js';
import type { Formats, ShownTime } from './format.js';
import type { Header } from './header.js';
import { displayName } from './list-order.js';
import type { ShownFleet } from './shown-fleet.js';
import type { ConnectionState } from './source.js';
import type { ColorTheme } from './theme.js';

export interface ScreenTimeModel {
  readonly setup: MapSetup;
  readonly formats: Formats;
  readonly header: Header;
  readonly theme: ColorTheme;
  readonly shown: ShownFleet;
  readonly day: () => { readonly day: string | null; readonly at: number | null };
}

export class ScreenTime {
  readonly #model: ScreenTimeModel;
  readonly #age: DataAge;
  #connection: ConnectionState = 'connecting';
  #isOutage = false;
  #freshness: Freshness = 'fresh';

  constructor(model: ScreenTimeModel, clock: PageClock) {
    this.#model = model;
    this.#age = new DataAge(clock);
  }

  take(message: LiveMessage): void {
    this.#isOutage = message.kind === 'problem' && message.isOutage;
    if (message.kind !== 'problem') this.#age.take(message.at, message.kind === 'fleet' ? message.ageMs : 0);
  }

  set connection(connection: ConnectionState) {
    this.#connection = connection;
    this.show();
  }

  /** Before the first data, nothing depends on it. */
  get now(): number {
    const { setup, shown } = this.#model;
    return (setup.kind === 'live' ? this.#age.serviceNow : shown.latest.at) ?? Date.now();
  }

  /** The time of the displayed data. */
  get shownNow(): number {
    return this.#model.shown.pastAt ?? this.now;
  }

  get time(): ShownTime {
    const { setup, shown } = this.#model;
    if (shown.isPast || setup.kind === 'file') return 'past';
    return this.#freshness === 'fresh' ? 'live' : 'late';
  }

  show(): void {
    const { setup, header, theme, shown } = this.#model;
    const { ms: ageMs } = this.#age;
    const live = { connection: this.#connection, ageMs, isOutage: this.#isOutage };
    const freshness = setup.kind === 'live' ? freshnessOf({ ...live, everyMs: setup.everyMs }) : 'fresh';
    const past = this.#pastText;
    header.show({ connection: this.#connection, freshness, at: shown.latest.at, ageMs, past });
    // An invisible vehicle shows nothing, so also nothing of the past.
    const coloured = setup.kind === 'file' || past !== null ? 'fresh' : freshness;
    if (coloured === this.#freshness) return;
    this.#freshness = coloured;
    document.documentElement.dataset.age = coloured;
    theme.refresh();
  }

  get #pastText(): string | null {
    const { formats, shown } = this.#model;
    const { chosen, second } = shown;
    if (!shown.isPast || chosen === null) return null;
    const { at, day } = this.#model.day();
    const when = at !== null ? `${formats.exactly(at)} ${formats.zone}` : day === null ? '' : formats.calendarDate(day);
    const names = [chosen, ...(second === null ? [] : [second])].map(displayName);
    return formats.language.text('pastOf', { name: names.join(', '), when });
  }
}
