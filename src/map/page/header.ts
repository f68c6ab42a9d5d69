// The bar at the top: how fresh the map is, what is wrong, how many vehicles there are, and the units.
import type { MapProblem, MapSetup } from '../shapes.js';
import { find, setText } from './dom.js';
import { counted, type Formats } from './format.js';
import type { Connection } from './source.js';

/** Each part can be wrong on its own. The most important is first: when `fleet` fails, the others fail because of it. */
const parts = ['fleet', 'link', 'geofences', 'roads'] as const;
export type Part = (typeof parts)[number];

export class Header {
  readonly #setup: MapSetup;
  readonly #formats: Formats;
  readonly #connection = find('connection', HTMLElement);
  readonly #problem = find('problem', HTMLElement);
  readonly #units = find('units', HTMLButtonElement);
  readonly #problems = new Map<Part, MapProblem>();

  constructor(setup: MapSetup, formats: Formats, onUnits: () => void) {
    this.#setup = setup;
    this.#formats = formats;
    setText(find('title', HTMLElement), setup.title);
    document.title = setup.title;
    this.#showUnits();
    this.#units.addEventListener('click', () => {
      formats.units = formats.units === 'metric' ? 'imperial' : 'metric';
      this.#showUnits();
      onUnits();
    });
  }

  /** `at`: the time of the last message. */
  showConnection(state: Connection, at: number | null): void {
    const { kind, zone } = this.#setup;
    const texts: Readonly<Record<Connection, string>> = {
      connecting: 'Connecting…',
      live: at === null ? 'Live' : `Live · ${this.#formats.seconds(at)} ${zone}`,
      paused: 'Paused while hidden',
      lost: 'No connection to `fleet map`; trying again',
      ended: 'Ended: start `fleet map` again',
      file: kind === 'file' ? `${period(this.#setup, this.#formats)} · ${zone}` : '',
    };
    setText(this.#connection, texts[state]);
    this.#connection.dataset.state = state;
  }

  /** Null: with this part all is well. The page shows the first problem of the order of {@link parts}. */
  showProblem(part: Part, problem: MapProblem | null): void {
    if (problem === null) this.#problems.delete(part);
    else this.#problems.set(part, problem);
    const first = parts.map((each) => this.#problems.get(each)).find((each) => each !== undefined);
    this.#problem.hidden = first === undefined;
    setText(this.#problem, first === undefined ? '' : [first.message, first.hint].filter(Boolean).join(' '));
  }

  hasProblem(part: Part): boolean {
    return this.#problems.has(part);
  }

  showCount(shown: number, all: number, isKnown: boolean): void {
    const total = counted(all, 'vehicle');
    setText(
      find('count', HTMLElement),
      isKnown ? (shown === all ? total : `${shown} of ${total}`) : 'Waiting for the vehicles…',
    );
  }

  #showUnits(): void {
    const isMetric = this.#formats.units === 'metric';
    setText(this.#units, isMetric ? 'km' : 'mi');
    this.#units.setAttribute('aria-label', `${isMetric ? 'km' : 'mi'}: change the units`);
  }
}

function period({ from, to }: { readonly from: number; readonly to: number }, formats: Formats): string {
  // A day ends with its last millisecond.
  const isDay = formats.day(from) === formats.day(to);
  return isDay
    ? `${formats.date(from)}, ${formats.time(from)} – ${formats.time(to)}`
    : `${formats.moment(from)} – ${formats.moment(to)}`;
}
