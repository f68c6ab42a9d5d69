// The list of vehicles. Only the rows on the screen are elements, so that it may have thousands. For the keyboard and for screen readers
// it is a list box: it has the focus, and names its active row.
import type { MapVehicle } from '../shapes.js';
import { find, make, setText } from './dom.js';
import type { Formats, ShownTime } from './format.js';
import { nameOf } from './list-order.js';

/** As in the style sheet. */
const ROW_HEIGHT = 54;
const SPARE_ROWS = 4;

export class VehicleList {
  readonly #box = find('list', HTMLElement);
  readonly #rows = find('rows', HTMLElement);
  readonly #formats: Formats;
  readonly #onSelect: (vehicleId: string) => void;
  #vehicles: readonly MapVehicle[] = [];
  #selectedId: string | null = null;
  #activeId: string | null = null;
  #time: ListTime = { now: 0, time: 'live', knows: () => true };

  constructor(formats: Formats, onSelect: (vehicleId: string) => void) {
    this.#formats = formats;
    this.#onSelect = onSelect;
    this.#box.addEventListener('scroll', () => this.#render(), { passive: true });
    this.#box.addEventListener('keydown', (event) => this.#onKey(event));
    this.#box.addEventListener('focus', () => {
      this.#activeId ??= this.#selectedId ?? this.#vehicles[0]?.id ?? null;
      this.#render();
    });
    this.#rows.addEventListener('click', (event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[role=option]') : null;
      const id = row?.dataset.id;
      if (id === undefined) return;
      this.#activeId = id;
      this.#onSelect(id);
    });
    new ResizeObserver(() => this.#render()).observe(this.#box);
  }

  show(vehicles: readonly MapVehicle[], selectedId: string | null, time: ListTime): void {
    const isNew = selectedId !== this.#selectedId;
    this.#vehicles = vehicles;
    this.#selectedId = selectedId;
    this.#time = time;
    if (isNew && selectedId !== null) {
      this.#activeId = selectedId;
      this.#reveal(selectedId);
    }
    this.#render();
  }

  #onKey(event: KeyboardEvent): void {
    const last = this.#vehicles.length - 1;
    const index = this.#vehicles.findIndex(({ id }) => id === this.#activeId);
    const page = Math.max(1, Math.floor(this.#box.clientHeight / ROW_HEIGHT) - 1);
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + page,
      PageUp: index - page,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      const vehicle = this.#vehicles[Math.max(0, Math.min(last, target))];
      event.preventDefault();
      if (vehicle === undefined) return;
      this.#activeId = vehicle.id;
      this.#reveal(vehicle.id);
      this.#render();
    } else if ((event.key === 'Enter' || event.key === ' ') && this.#activeId !== null) {
      event.preventDefault();
      this.#onSelect(this.#activeId);
    }
  }

  #reveal(vehicleId: string): void {
    const index = this.#vehicles.findIndex(({ id }) => id === vehicleId);
    if (index < 0) return;
    const { scrollTop, clientHeight } = this.#box;
    const top = index * ROW_HEIGHT;
    if (top < scrollTop) this.#box.scrollTop = top;
    else if (top + ROW_HEIGHT > scrollTop + clientHeight) this.#box.scrollTop = top + ROW_HEIGHT - clientHeight;
  }

  #render(): void {
    const count = this.#vehicles.length;
    this.#rows.style.height = `${count * ROW_HEIGHT}px`;
    const first = Math.max(0, Math.floor(this.#box.scrollTop / ROW_HEIGHT) - SPARE_ROWS);
    const end = Math.min(count, Math.ceil((this.#box.scrollTop + this.#box.clientHeight) / ROW_HEIGHT) + SPARE_ROWS);
    const wanted = this.#vehicles.slice(first, end);
    while (this.#rows.childElementCount > wanted.length) this.#rows.lastElementChild?.remove();
    while (this.#rows.childElementCount < wanted.length) this.#rows.append(emptyRow());
    let active: string | null = null;
    wanted.forEach((vehicle, offset) => {
      const row = this.#rows.children[offset];
      if (!(row instanceof HTMLElement)) return;
      const index = first + offset;
      if (vehicle.id === this.#activeId) active = `row-${offset}`;
      row.id = `row-${offset}`;
      this.#fill(row, vehicle, index);
    });
    if (active === null) this.#box.removeAttribute('aria-activedescendant');
    else this.#box.setAttribute('aria-activedescendant', active);
  }

  /** The speed only while it is that of the time on the screen. */
  #value({ status, speed, at }: MapVehicle): string {
    const { now, time } = this.#time;
    if (status === 'moving' && speed !== null && time !== 'late') return this.#formats.speed(speed);
    return at === null ? '' : this.#formats.age(Math.max(0, now - at), time);
  }

  #fill(row: HTMLElement, vehicle: MapVehicle, index: number): void {
    const { id, status, plate, driver } = vehicle;
    row.dataset.id = id;
    row.dataset.status = status;
    row.style.top = `${index * ROW_HEIGHT}px`;
    row.setAttribute('aria-selected', String(id === this.#selectedId));
    row.setAttribute('aria-posinset', String(index + 1));
    row.setAttribute('aria-setsize', String(this.#vehicles.length));
    row.classList.toggle('active', id === this.#activeId);
    const { knows } = this.#time;
    const texts = knows(id)
      ? [
          nameOf(vehicle),
          this.#value(vehicle),
          [plate, driver].filter(Boolean).join(' · '),
          this.#formats.language.text(status),
        ]
      : [nameOf(vehicle), '', plate ?? '', ''];
    row.classList.toggle('not-known', !knows(id));
    row.querySelectorAll('span').forEach((span, place) => {
      setText(span, texts[place] ?? '');
    });
  }
}

/** Of what time the rows are. */
export interface ListTime {
  readonly now: number;
  readonly time: ShownTime;
  /** Whether anything is known of a vehicle at this time. */
  readonly knows: (vehicleId: string) => boolean;
}

function emptyRow(): HTMLElement {
  const row = make('div', { role: 'option', class: 'row' });
  for (const name of ['name', 'value', 'about', 'status']) row.append(make('span', { class: name }));
  return row;
}
