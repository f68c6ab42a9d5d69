// The header of the page. Screen readers announce only changes of the state.
import type { MapSetup } from '../shapes.js';
import type { Freshness } from './data-age.js';
import { find, setText } from './dom.js';
import type { Story } from './file-source.js';
import { type Formats, formatDuration } from './format.js';
import type { ConnectionState } from './source.js';
import { type ProblemSentence, pageSentence } from './words/problem-sentences.js';
import { showSentences } from './words/show-sentences.js';

/** Independent problem sources, most important first: a `fleet` failure causes the others. */
const parts = ['fleet', 'link', 'geofences', 'roads', 'week', 'tiles', 'streets'] as const;
export type HeaderPart = (typeof parts)[number];

export interface HeaderState {
  readonly connection: ConnectionState;
  readonly freshness: Freshness;
  readonly at: number | null;
  readonly ageMs: number | null;
  /** Text about the displayed past; null for now. */
  readonly past: string | null;
}

export class Header {
  readonly #setup: MapSetup;
  readonly #formats: Formats;
  readonly #connection = find('connection', HTMLElement);
  readonly #announcement = find('announcement', HTMLElement);
  readonly #past = find('past', HTMLElement);
  readonly #problem = find('problem', HTMLElement);
  readonly #units = find('units', HTMLButtonElement);
  readonly #problems = new Map<HeaderPart, readonly ProblemSentence[]>();
  #story: Story | null = null;
  #announced = '';

  constructor(setup: MapSetup, formats: Formats, onUnits: () => void) {
    this.#setup = setup;
    this.#formats = formats;
    const title = formats.language.text('title');
    setText(find('title', HTMLElement), title);
    document.title = setup.kind === 'file' ? `${title} · ${period(setup, formats)}` : title;
    this.#showUnits();
    this.#units.addEventListener('click', () => {
      formats.units = formats.units === 'metric' ? 'imperial' : 'metric';
      this.#showUnits();
      this.#showStory();
      onUnits();
    });
  }

  show(state: HeaderState): void {
    const { connection, freshness, past } = state;
    const { kind } = this.#setup;
    const { language } = this.#formats;
    if (kind === 'file') {
      setText(this.#connection, `${period(this.#setup, this.#formats)} · ${this.#formats.zone}`);
      return;
    }
    // The age of the live data would not describe the displayed past.
    const texts = past === null ? [this.#stateText(state), ...this.#ageParts(state)] : [language.text('notLive')];
    setText(this.#connection, texts.join(' · '));
    this.#connection.dataset.state = past === null ? stateName(connection, freshness) : 'past';
    this.#past.hidden = past === null;
    setText(find('past-text', HTMLElement), past ?? '');
    if (connection === 'connecting' || connection === 'paused') return;
    const spoken = past === null ? this.#stateText(state) : language.text('mapIsOfThePast');
    if (spoken !== this.#announced) this.announce([pageSentence(spoken)]);
    this.#announced = spoken;
  }

  announce(said: readonly ProblemSentence[]): void {
    showSentences(this.#announcement, said);
  }

  showStory(story: Story): void {
    this.#story = story;
    this.#showStory();
  }

  /** Null clears a problem. The page shows the first one in the order of {@link parts}. */
  showProblem(part: HeaderPart, said: readonly ProblemSentence[] | null): void {
    if (said === null) this.#problems.delete(part);
    else this.#problems.set(part, said);
    const first = parts.map((each) => this.#problems.get(each)).find((each) => each !== undefined);
    this.#problem.hidden = first === undefined;
    showSentences(this.#problem, first ?? []);
  }

  hasProblem(part: HeaderPart): boolean {
    return this.#problems.has(part);
  }

  countText(shown: number, all: number, places: number): string {
    const { language } = this.#formats;
    const total = language.counted(all, 'vehicle');
    if (shown === 0 && all > 0 && places === 0) return language.text('noneOf', { all: total });
    const vehicles = shown === all ? total : language.text('someOf', { some: language.whole(shown), all: total });
    return places === 0 ? vehicles : `${vehicles} · ${language.counted(places, 'place')}`;
  }

  showCount(text: string): void {
    setText(find('count', HTMLElement), text);
  }

  #ageParts({ connection, freshness, at, ageMs }: HeaderState): readonly string[] {
    if (at === null || ageMs === null || connection === 'paused') return [];
    const clock = `${this.#formats.seconds(at)} ${this.#formats.zone}`;
    const age = this.#formats.language.text('lastData', { ago: this.#formats.ago(ageMs) });
    return freshness === 'fresh' ? [clock, age] : [`${age}, ${clock}`];
  }

  #stateText({ connection, freshness }: HeaderState): string {
    return this.#formats.language.text(stateKey(connection, freshness));
  }

  #showStory(): void {
    if (this.#story === null) return;
    const target = find('story', HTMLElement);
    target.hidden = false;
    setText(target, storyText(this.#story, this.#formats));
  }

  redraw(): void {
    this.#showUnits();
    this.#showStory();
  }

  #showUnits(): void {
    const isMetric = this.#formats.units === 'metric';
    setText(this.#units, isMetric ? 'km' : 'mi');
    const unit = isMetric ? 'km' : 'mi';
    this.#units.setAttribute('aria-label', this.#formats.language.text('changeUnits', { unit }));
  }
}

export function storyText(story: Story, formats: Formats): string {
  const { language } = formats;
  const { drove, vehicles, km, isDoubted, trips, movingMs, idleMs, begins } = story;
  const all = language.counted(vehicles, 'vehicle');
  if (trips === 0) return language.text('storyNone', { all });
  const distance = formats.distance(km);
  const sentence = language.text('story', {
    some: language.whole(drove),
    all,
    distance: isDoubted ? language.text('about', { distance }) : distance,
    trips: language.counted(trips, 'trip'),
    moving: formatDuration(movingMs),
    idle: formatDuration(idleMs),
  });
  return begins === null ? sentence : `${sentence} ${language.text('storyFirst', { when: formats.moment(begins) })}`;
}

function stateKey(connection: ConnectionState, freshness: Freshness) {
  if (connection === 'connecting' || connection === 'paused' || connection === 'lost' || connection === 'ended') {
    return connection;
  }
  return ({ fresh: 'live', late: 'noNewData', old: 'notLive' } as const)[freshness];
}

function stateName(connection: ConnectionState, freshness: Freshness): string {
  return connection === 'live' ? freshness : connection;
}

export function period({ from, to }: { readonly from: number; readonly to: number }, formats: Formats): string {
  // A day ends with its last millisecond.
  const isDay = formats.day(from) === formats.day(to);
  return isDay
    ? `${formats.date(from)}, ${formats.time(from)} – ${formats.time(to)}`
    : `${formats.moment(from)} – ${formats.moment(to)}`;
}
