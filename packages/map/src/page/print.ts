// The printed header, and a table in place of the lists that scroll.
import type { MapDay, MapVehicle } from '../shapes.js';
import { find, make } from './dom.js';
import { type Formats, formatDuration, spanText } from './format.js';
import { displayName } from './list-order.js';
import { sumsOf } from './recorded.js';
import type { WordKey } from './words/words.js';

export interface PrintContent {
  readonly vehicle: MapVehicle | null;
  readonly day: MapDay | null;
  readonly when: string;
  readonly story: string;
  readonly vehicles: readonly MapVehicle[];
  /** Days by vehicle id; empty on a live map. */
  readonly days: ReadonlyMap<string, MapDay>;
}

/** Most rows that anybody would read. */
const MOST_ROWS = 80;

export class Print {
  readonly #formats: Formats;
  readonly #read: () => PrintContent;

  constructor(formats: Formats, read: () => PrintContent) {
    this.#formats = formats;
    this.#read = read;
    window.addEventListener('beforeprint', () => this.#fill());
  }

  #fill(): void {
    const printed = this.#read();
    const { vehicle, day, when, story } = printed;
    const { language, zone, units } = this.#formats;
    const map = find('map', HTMLElement);
    const style = document.documentElement.style;
    style.setProperty('--map-width', `${map.clientWidth}`);
    style.setProperty('--map-height', `${map.clientHeight}`);
    const facts = [
      when,
      `${language.text('zone')}: ${zone}`,
      `${language.text('units')}: ${units === 'metric' ? 'km, km/h' : 'mi, mph'}`,
    ];
    const title =
      vehicle === null ? language.text('title') : [displayName(vehicle), vehicle.plate].filter(Boolean).join(' · ');
    const summary = vehicle === null ? story : day === null ? '' : this.#sums(day);
    find('print-head', HTMLElement).replaceChildren(
      make('p', { class: 'print-title', dir: 'auto' }, title),
      make('p', {}, facts.join(' · ')),
      make('p', {}, summary),
    );
    const table = vehicle !== null ? (day === null ? null : this.#trips(day)) : this.#vehicles(printed);
    find('print-table', HTMLElement).replaceChildren(...(table === null ? [] : [table]));
  }

  #sums({ trips, stops }: MapDay): string {
    const { km, movingMs, idleMs } = sumsOf(trips);
    const { language } = this.#formats;
    return [
      language.counted(trips.length, 'trip'),
      this.#formats.distance(km),
      `${language.text('movingTime')} ${formatDuration(movingMs)}`,
      `${language.text('idleTime')} ${formatDuration(idleMs)}`,
      language.counted(stops.length, 'stop'),
    ].join(' · ');
  }

  #trips({ trips }: MapDay): HTMLElement | null {
    if (trips.length === 0) return null;
    const formats = this.#formats;
    const days = new Set(trips.map(({ from }) => formats.day(from)));
    const time = (at: number) => (days.size > 1 ? formats.moment(at) : formats.time(at));
    const { language } = formats;
    return this.#table(
      ['begin', 'end', 'from', 'to', 'distance', 'duration', 'idleTime', 'topSpeed', 'driver'],
      trips.map((trip) => [
        trip.beganBefore ? language.text('before', { time: time(trip.from) }) : time(trip.from),
        trip.to === null ? language.text('underWay') : trip.wentOn ? formats.endTime(trip.to) : time(trip.to),
        formats.place(trip.startPlace),
        trip.to === null ? '' : formats.place(trip.endPlace),
        formats.distance(trip.km),
        spanText(trip.from, trip.to ?? trip.lastSeenAt),
        formatDuration(trip.idleMs),
        trip.topSpeed === null ? '' : formats.speed(trip.topSpeed),
        trip.drivers.join(', '),
      ]),
    );
  }

  #vehicles({ vehicles, days }: PrintContent): HTMLElement {
    const formats = this.#formats;
    if (days.size === 0) {
      return this.#table(
        ['name', 'plate', 'status', 'speed', 'place', 'driver', 'lastSeen'],
        vehicles.map(({ id, name, plate, status, speed, place, driver, at }) => [
          displayName({ id, name, plate }),
          plate ?? '',
          formats.language.text(status),
          speed === null || status !== 'moving' ? '' : formats.speed(speed),
          formats.place(place),
          driver ?? '',
          at === null ? '' : formats.moment(at),
        ]),
      );
    }
    return this.#table(
      ['name', 'plate', 'trips', 'distance', 'movingTime', 'idleTime', 'topSpeed'],
      vehicles.map((vehicle) => {
        const { trips, km, movingMs, idleMs, topSpeed } = sumsOf(days.get(vehicle.id)?.trips ?? []);
        return [
          displayName(vehicle),
          vehicle.plate ?? '',
          formats.language.whole(trips),
          formats.distance(km),
          formatDuration(movingMs),
          formatDuration(idleMs),
          topSpeed === null ? '' : formats.speed(topSpeed),
        ];
      }),
    );
  }

  #table(heads: readonly WordKey[], rows: readonly (readonly string[])[]): HTMLElement {
    const { language } = this.#formats;
    const hasContent = heads.map((_, column) => rows.some((row) => (row[column] ?? '') !== ''));
    const only = <Cell>(cells: readonly Cell[]) => cells.filter((_, column) => hasContent[column]);
    const rest = rows.length - MOST_ROWS;
    return make(
      'div',
      {},
      make(
        'table',
        {},
        make(
          'thead',
          {},
          make('tr', {}, ...only(heads).map((key) => make('th', { scope: 'col' }, language.text(key)))),
        ),
        make(
          'tbody',
          {},
          ...rows
            .slice(0, MOST_ROWS)
            .map((row) => make('tr', {}, ...only(row).map((text) => make('td', { dir: 'auto' }, text)))),
        ),
      ),
      rest <= 0 ? null : make('p', {}, language.text('more', { count: language.whole(rest) })),
    );
  }
}
