// The choice of the day: by its date, a day back or forth, or yesterday. In a file it is one of its days, or all of them.
import { type Days, neighbour } from './days.js';
import { button, make } from './dom.js';
import type { Formats } from './format.js';

/** A date has several digits: no day is read for each of them. */
const TYPING_MS = 800;

export class DayChoice {
  readonly target: HTMLElement;
  readonly #days: Days;
  readonly #field: HTMLInputElement | HTMLSelectElement;
  readonly #back: HTMLButtonElement;
  readonly #forth: HTMLButtonElement;
  readonly #choose: (day: string | null) => void;
  #day: string | null = null;
  /** Until a date that is typed is taken. */
  #typing: ReturnType<typeof setTimeout> | undefined;

  /** `choose`: null for the whole period of a file. */
  constructor(formats: Formats, days: Days, choose: (day: string | null) => void) {
    const { language } = formats;
    this.#days = days;
    this.#field = days.kind === 'any' ? make('input', { type: 'date', id: 'day' }) : daySelect(days.days, formats);
    this.#choose = choose;
    this.#listen();
    const go = (step: 1 | -1) => () => {
      const day = neighbour(days, this.#day, step);
      if (day !== null) choose(day);
    };
    this.#back = button('‹', go(-1), { class: 'step', 'aria-label': language.text('previousDay') });
    this.#forth = button('›', go(1), { class: 'step', 'aria-label': language.text('nextDay') });
    const label = make('label', { for: 'day', class: 'unseen' }, language.text('day'));
    this.target = make('div', { class: 'day-choice' }, label, this.#back, this.#field, this.#forth);
    if (days.kind === 'some') return;
    const yesterday = () => choose(neighbour(days, days.latest(), -1));
    this.target.append(button(language.text('yesterday'), yesterday));
  }

  /** A date of the calendar is taken at once; one that is typed after a pause, or with Enter, or when the field is left. */
  #listen(): void {
    let isTyped = false;
    this.#field.addEventListener('pointerdown', () => {
      isTyped = false;
    });
    this.#field.addEventListener('keydown', (event) => {
      isTyped = true;
      // `instanceof` tells the types which kind of event this is.
      if (event instanceof KeyboardEvent && event.key === 'Enter') this.#take();
    });
    this.#field.addEventListener('change', () => {
      clearTimeout(this.#typing);
      if (isTyped) this.#typing = setTimeout(() => this.#take(), TYPING_MS);
      else this.#take();
    });
    this.#field.addEventListener('blur', () => {
      this.#take();
      // What is left half typed is no date.
      this.#field.value = this.#day ?? '';
    });
  }

  #take(): void {
    clearTimeout(this.#typing);
    const day = this.#field.value || null;
    // Only the choice of a file has an empty entry: all days.
    if (day !== this.#day && (day !== null || this.#days.kind === 'some')) this.#choose(day);
  }

  show(day: string | null): void {
    const isOther = day !== this.#day;
    this.#day = day;
    // A browser forgets what has been typed of a date when the field is written, even with what it has.
    if (isOther && this.#field.value !== (day ?? '')) this.#field.value = day ?? '';
    const latest = this.#days.kind === 'any' ? this.#days.latest() : null;
    if (latest !== null && this.#field.getAttribute('max') !== latest) this.#field.setAttribute('max', latest);
    this.#back.disabled = neighbour(this.#days, day, -1) === null;
    this.#forth.disabled = neighbour(this.#days, day, 1) === null;
  }
}

function daySelect(days: readonly string[], formats: Formats): HTMLSelectElement {
  const { language } = formats;
  const all =
    days.length === 1 ? language.text('wholePeriod') : language.text('allDays', { count: language.whole(days.length) });
  const options = days.map((day) => make('option', { value: day }, formats.calendarDate(day)));
  return make('select', { id: 'day' }, make('option', { value: '' }, all), ...options);
}
