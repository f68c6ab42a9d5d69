// The field to search, the switches of the statuses and the order of the list.
import type { MapVehicle } from '../shapes.js';
import { find, make, setText } from './dom.js';
import { countsOf, type SortKey, type Status, sortKeys, statuses, type Wish } from './list-order.js';

export class Filters {
  readonly #only = new Set<Status>();
  readonly #query = find('query', HTMLInputElement);
  readonly #sort = find('sort', HTMLSelectElement);
  readonly #buttons: ReadonlyMap<Status, HTMLButtonElement>;

  constructor(onChange: () => void) {
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
    find('statuses', HTMLElement).append(...this.#buttons.values());
  }

  wish(): Wish {
    const sort = sortKeys.find((key): key is SortKey => key === this.#sort.value) ?? 'name';
    return { query: this.#query.value, only: this.#only, sort };
  }

  /** How many vehicles there are of each status. One without vehicles is shown only while it is chosen. */
  showCounts(vehicles: Iterable<MapVehicle>): void {
    for (const [status, count] of countsOf(vehicles)) {
      const toggle = this.#buttons.get(status);
      if (toggle === undefined) continue;
      toggle.hidden = count === 0 && !this.#only.has(status);
      setText(toggle, `${status} ${count}`);
    }
  }
}
