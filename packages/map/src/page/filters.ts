// The search field, the status switches and the order of the list.
import type { MapVehicle } from '../shapes.js';
import { find, make, setText } from './dom.js';
import { countsOf, type ListFilter, type ListOrder, type Status, sortKeys, statuses } from './list-order.js';
import type { Language } from './words/language.js';

export class Filters {
  readonly #language: Language;
  readonly #only = new Set<Status>();
  readonly #query = find('query', HTMLInputElement);
  readonly #sort = find('sort', HTMLSelectElement);
  readonly #buttons: ReadonlyMap<Status, HTMLButtonElement>;
  readonly #statuses = find('statuses', HTMLElement);
  readonly #clear = find('clear', HTMLButtonElement);

  constructor(language: Language, onChange: () => void) {
    this.#language = language;
    this.#clear.addEventListener('click', () => {
      this.#query.value = '';
      this.#only.clear();
      for (const toggle of this.#buttons.values()) toggle.setAttribute('aria-pressed', 'false');
      onChange();
      this.#query.focus();
    });
    this.#query.addEventListener('input', onChange);
    this.#sort.addEventListener('change', onChange);
    this.#buttons = new Map(
      statuses.map((status) => {
        const toggle = make('button', { type: 'button', 'aria-pressed': 'false', 'data-status': status });
        toggle.addEventListener('click', () => {
          if (!this.#only.delete(status)) this.#only.add(status);
          toggle.setAttribute('aria-pressed', String(this.#only.has(status)));
          onChange();
        });
        return [status, toggle] as const;
      }),
    );
    this.#statuses.append(...this.#buttons.values());
  }

  set({ query, statuses: chosen }: { readonly query: string; readonly statuses: readonly string[] }): void {
    this.#query.value = query;
    this.#only.clear();
    for (const [status, toggle] of this.#buttons) {
      if (chosen.includes(status)) this.#only.add(status);
      toggle.setAttribute('aria-pressed', String(this.#only.has(status)));
    }
  }

  filter(): ListFilter {
    const sort = sortKeys.find((key): key is ListOrder => key === this.#sort.value) ?? 'name';
    const only = this.#statuses.hidden ? new Set<Status>() : this.#only;
    return { query: this.#query.value, only, sort };
  }

  /** Hides the statuses for a past time, when only the selected vehicle's status is known. */
  set areStatusesKnown(areKnown: boolean) {
    this.#statuses.hidden = !areKnown;
  }

  showFound(count: number, all: number): void {
    this.#clear.hidden = count > 0 || all === 0;
  }

  /** Hides an empty status unless it is selected. */
  showCounts(vehicles: Iterable<MapVehicle>): void {
    for (const [status, count] of countsOf(vehicles)) {
      const toggle = this.#buttons.get(status);
      if (toggle === undefined) continue;
      toggle.hidden = count === 0 && !this.#only.has(status);
      setText(toggle, `${this.#language.text(status)} ${this.#language.whole(count)}`);
    }
  }
}
