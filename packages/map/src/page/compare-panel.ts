// The comparison in the panel: the choice of a second vehicle, and both days side by side.
import type { MapDay, MapVehicle } from '../shapes.js';
import { numbersOf } from './day-numbers.js';
import { button, make } from './dom.js';
import type { Formats } from './format.js';
import { displayName } from './list-order.js';
import type { DayState } from './source.js';
import { nodesOf } from './words/show-sentences.js';

export interface CompareModel {
  readonly first: MapVehicle;
  /** Null without a comparison. */
  readonly second: MapVehicle | null;
  readonly firstState: DayState;
  readonly secondState: DayState;
  readonly others: readonly MapVehicle[];
}

export interface CompareEvents {
  choose(vehicleId: string | null): void;
  retry(): void;
}

export class ComparePanel {
  readonly target = make('div', { class: 'compare' });
  readonly #formats: Formats;
  readonly #events: CompareEvents;
  readonly #select: HTMLSelectElement;
  readonly #choice: HTMLElement;
  readonly #content = make('div', {});
  /** Content that the list and the table were last built from. */
  #offered = '';
  #shown = '';
  #states: readonly unknown[] = [];

  constructor(formats: Formats, events: CompareEvents) {
    this.#formats = formats;
    this.#events = events;
    this.#select = make('select', { id: 'compare' });
    this.#select.addEventListener('change', () => events.choose(this.#select.value || null));
    const label = make('label', { for: 'compare' }, formats.language.text('compareWith'));
    this.#choice = make('div', { class: 'compare-choice' }, label, this.#select);
    this.target.append(this.#choice, this.#content);
  }

  show(model: CompareModel): void {
    const { second, others } = model;
    this.#offer(others);
    this.#choice.hidden = others.length === 0;
    this.#select.value = second?.id ?? '';
    this.#showContent(model);
  }

  focus(): void {
    this.#select.focus();
  }

  redraw(): void {
    this.#states = [];
  }

  #offer(others: readonly MapVehicle[]): void {
    const offered = others.map((vehicle) => `${vehicle.id} ${displayName(vehicle)}`).join('\n');
    if (offered === this.#offered) return;
    this.#offered = offered;
    this.#select.replaceChildren(
      make('option', { value: '' }, this.#formats.language.text('noComparison')),
      ...others.map((vehicle) => make('option', { value: vehicle.id }, displayName(vehicle))),
    );
  }

  #showContent({ first, second, firstState, secondState }: CompareModel): void {
    const now = second === null ? [] : [this.#state(first), this.#state(second)];
    const shown = second === null ? '' : `${displayName(first)}\n${displayName(second)}`;
    const isSame = firstState === this.#states[0] && secondState === this.#states[1] && shown === this.#shown;
    if (!isSame) {
      const hadFocus = this.#content.contains(document.activeElement);
      this.#states = [firstState, secondState];
      this.#shown = shown;
      this.#content.replaceChildren(...this.#contentNodes(first, second, firstState, secondState));
      if (hadFocus) (this.#content.querySelector('button') ?? this.#select).focus();
    }
    this.#content.querySelectorAll('.now').forEach((cell, index) => {
      if (cell.textContent !== now[index]) cell.textContent = now[index] ?? '';
    });
  }

  #contentNodes(first: MapVehicle, second: MapVehicle | null, ...states: readonly DayState[]): readonly Node[] {
    if (second === null) return [];
    const { language } = this.#formats;
    const end = button(language.text('endComparison'), () => this.#events.choose(null));
    const failed = states.flatMap((state) => (state.kind === 'failed' ? [state.said] : []));
    if (failed.length > 0) {
      const again = button(language.text('tryAgain'), () => this.#events.retry());
      return [...failed.map((said) => make('p', { class: 'failed' }, ...nodesOf(said))), again, end];
    }
    const days = states.flatMap((state) => (state.kind === 'loaded' ? [state.day] : []));
    const [one, other] = days;
    if (one === undefined || other === undefined) {
      return [make('p', { class: 'quiet' }, language.text('readingDay')), end];
    }
    return [this.#table([first, second], [one, other]), end];
  }

  #table(vehicles: readonly MapVehicle[], days: readonly MapDay[]): HTMLElement {
    const { language } = this.#formats;
    const [one = [], other = []] = days.map((day) => numbersOf(day, this.#formats));
    const rows = one.flatMap(([name, value], index) => {
      const values = [value, other[index]?.[1] ?? null];
      if (values.every((each) => each === null)) return [];
      const cells = values.map((each) => make('td', {}, each ?? '–'));
      return [make('tr', {}, make('th', { scope: 'row' }, language.text(name)), ...cells)];
    });
    const heads = vehicles.map((vehicle, index) =>
      make(
        'th',
        { scope: 'col', dir: 'auto' },
        make('i', { class: index === 0 ? 'line' : 'line dashed' }),
        displayName(vehicle),
      ),
    );
    const status = make('tr', {}, make('th', { scope: 'row' }, language.text('status')));
    status.append(make('td', { class: 'now' }), make('td', { class: 'now' }));
    return make(
      'table',
      { class: 'compared' },
      make('caption', { class: 'unseen' }, language.text('comparison')),
      make('thead', {}, make('tr', {}, make('td', {}), ...heads)),
      make('tbody', {}, status, ...rows),
    );
  }

  #state({ status, speed }: MapVehicle): string {
    const text = this.#formats.language.text(status);
    return status === 'moving' && speed !== null ? `${text}, ${this.#formats.speed(speed)}` : text;
  }
}
