// The day picker: a date field with previous, next and yesterday; in a file a list of its days.
import { type Days, neighbour } from './days.js';
import { button, make } from './dom.js';
import type { Formats } from './format.js';
import { TypedField } from './typed-field.js';

export class DayChoice {
  readonly target: HTMLElement;
  readonly #days: Days;
  readonly #field: HTMLInputElement | HTMLSelectElement;
  readonly #typed: TypedField;
  readonly #back: HTMLButtonElement;
  readonly #forth: HTMLButtonElement;
  #day: string | null = null;

  /** `choose`: null for the whole period of a file. */
  constructor(formats: Formats, days: Days, choose: (day: string | null) => void) {
    const { language } = formats;
    this.#days = days;
    this.#field = days.kind === 'any' ? make('input', { type: 'date', id: 'day' }) : daySelect(days.days, formats);
    // Only a file has the empty entry: all days.
    this.#typed = new TypedField(this.#field, (value) => choose(value || null));
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

  show(day: string | null): void {
    this.#day = day;
    this.#typed.show(day ?? '');
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
