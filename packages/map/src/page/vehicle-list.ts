// The list of vehicles and found geofences. Only visible rows are elements, for thousands of them.
// As an ARIA list box, it has the focus and names its active row.
import type { MapVehicle } from '../shapes.js';
import { find, make, setText } from './dom.js';
import type { Fence } from './fence.js';
import type { Formats, ShownTime } from './format.js';
import { displayName } from './list-order.js';

/** Same as in the style sheet. */
const ROW_HEIGHT = 54;
const SPARE_ROWS = 4;
const TITLE_HEIGHT = 28;

export class VehicleList {
  readonly #box = find('list', HTMLElement);
  readonly #rows = find('rows', HTMLElement);
  readonly #formats: Formats;
  readonly #onSelect: (chosen: MapVehicle | Fence) => void;
  readonly #placesTitle = find('places-title', HTMLElement);
  #vehicles: readonly MapVehicle[] = [];
  #places: readonly Fence[] = [];
  #selectedId: string | null = null;
  #activeId: string | null = null;
  #time: ListTime = { now: 0, time: 'live', hasState: () => true };

  constructor(formats: Formats, onSelect: (chosen: MapVehicle | Fence) => void) {
    this.#formats = formats;
    this.#onSelect = onSelect;
    this.#box.addEventListener('scroll', () => this.#render(), { passive: true });
    this.#box.addEventListener('keydown', (event) => this.#onKey(event));
    this.#box.addEventListener('focus', () => {
      this.#activeId ??= this.#selectedId ?? this.#idAt(0);
      this.#render();
    });
    this.#rows.addEventListener('click', (event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[role=option]') : null;
      const id = row?.dataset.id;
      if (id === undefined) return;
      this.#activeId = id;
      this.#select(id);
    });
    new ResizeObserver(() => this.#render()).observe(this.#box);
  }

  show(vehicles: readonly MapVehicle[], places: readonly Fence[], selectedId: string | null, time: ListTime): void {
    const isNew = selectedId !== this.#selectedId;
    this.#vehicles = vehicles;
    this.#places = places;
    this.#selectedId = selectedId;
    this.#time = time;
    if (isNew && selectedId !== null) {
      this.#activeId = selectedId;
      this.#reveal(selectedId);
    }
    this.#render();
  }

  focus(): void {
    this.#box.focus();
  }

  get #count(): number {
    return this.#vehicles.length + this.#places.length;
  }

  #idAt(index: number): string | null {
    return this.#vehicles[index]?.id ?? this.#places[index - this.#vehicles.length]?.geofence.id ?? null;
  }

  #indexOf(id: string | null): number {
    const index = this.#vehicles.findIndex((vehicle) => vehicle.id === id);
    if (index >= 0) return index;
    const place = this.#places.findIndex(({ geofence }) => geofence.id === id);
    return place < 0 ? -1 : this.#vehicles.length + place;
  }

  #topOf(index: number): number {
    return index * ROW_HEIGHT + (index < this.#vehicles.length ? 0 : TITLE_HEIGHT);
  }

  #select(id: string): void {
    const index = this.#indexOf(id);
    const chosen = this.#vehicles[index] ?? this.#places[index - this.#vehicles.length];
    if (chosen !== undefined) this.#onSelect(chosen);
  }

  #onKey(event: KeyboardEvent): void {
    const last = this.#count - 1;
    const index = this.#indexOf(this.#activeId);
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
      const id = this.#idAt(Math.max(0, Math.min(last, target)));
      event.preventDefault();
      if (id === null) return;
      this.#activeId = id;
      this.#reveal(id);
      this.#render();
    } else if ((event.key === 'Enter' || event.key === ' ') && this.#activeId !== null) {
      event.preventDefault();
      this.#select(this.#activeId);
    }
  }

  #reveal(id: string): void {
    const index = this.#indexOf(id);
    if (index < 0) return;
    const { scrollTop, clientHeight } = this.#box;
    const top = this.#topOf(index);
    if (top < scrollTop) this.#box.scrollTop = top;
    else if (top + ROW_HEIGHT > scrollTop + clientHeight) this.#box.scrollTop = top + ROW_HEIGHT - clientHeight;
  }

  #render(): void {
    const count = this.#count;
    const hasPlaces = this.#places.length > 0;
    this.#rows.style.height = `${count * ROW_HEIGHT + (hasPlaces ? TITLE_HEIGHT : 0)}px`;
    this.#placesTitle.hidden = !hasPlaces;
    this.#placesTitle.style.top = `${this.#vehicles.length * ROW_HEIGHT}px`;
    const first = Math.max(0, Math.floor(this.#box.scrollTop / ROW_HEIGHT) - SPARE_ROWS);
    const end = Math.min(count, Math.ceil((this.#box.scrollTop + this.#box.clientHeight) / ROW_HEIGHT) + SPARE_ROWS);
    const rowCount = Math.max(0, end - first);
    while (this.#rows.childElementCount > rowCount) this.#rows.lastElementChild?.remove();
    while (this.#rows.childElementCount < rowCount) this.#rows.append(emptyRow());
    let active: string | null = null;
    for (let offset = 0; offset < rowCount; offset++) {
      const row = this.#rows.children[offset];
      if (!(row instanceof HTMLElement)) continue;
      const index = first + offset;
      const vehicle = this.#vehicles[index];
      const place = this.#places[index - this.#vehicles.length];
      if (this.#idAt(index) === this.#activeId) active = `row-${offset}`;
      row.id = `row-${offset}`;
      if (vehicle !== undefined) this.#fill(row, vehicle, index);
      else if (place !== undefined) this.#fillPlace(row, place, index);
    }
    if (active === null) this.#box.removeAttribute('aria-activedescendant');
    else this.#box.setAttribute('aria-activedescendant', active);
  }

  /** Returns the speed, if it is true at the displayed time; otherwise the age. */
  #value({ status, speed, at }: MapVehicle): string {
    const { now, time } = this.#time;
    if (status === 'moving' && speed !== null && time !== 'late') return this.#formats.speed(speed);
    return at === null ? '' : this.#formats.age(Math.max(0, now - at), time);
  }

  #fill(row: HTMLElement, vehicle: MapVehicle, index: number): void {
    const { id, status, plate, driver } = vehicle;
    row.dataset.status = status;
    row.style.removeProperty('--dot');
    const { hasState } = this.#time;
    const texts = hasState(id)
      ? [
          displayName(vehicle),
          this.#value(vehicle),
          [plate, driver].filter(Boolean).join(' · '),
          this.#formats.language.text(status),
        ]
      : [displayName(vehicle), '', plate ?? '', ''];
    this.#write(row, id, index, texts);
    row.classList.toggle('not-known', !hasState(id));
  }

  #fillPlace(row: HTMLElement, { name, color, geofence }: Fence, index: number): void {
    const { language } = this.#formats;
    delete row.dataset.status;
    row.style.setProperty('--dot', color ?? 'var(--fence)');
    row.classList.remove('not-known');
    const texts = [name || language.text('geofence'), '', geofence.address ?? '', language.text('place')];
    this.#write(row, geofence.id, index, texts);
  }

  #write(row: HTMLElement, id: string, index: number, texts: readonly string[]): void {
    row.dataset.id = id;
    row.style.top = `${this.#topOf(index)}px`;
    row.setAttribute('aria-selected', String(id === this.#selectedId));
    row.setAttribute('aria-posinset', String(index + 1));
    row.setAttribute('aria-setsize', String(this.#count));
    row.classList.toggle('active', id === this.#activeId);
    row.querySelectorAll('span').forEach((span, place) => {
      setText(span, texts[place] ?? '');
    });
  }
}

export interface ListTime {
  readonly now: number;
  readonly time: ShownTime;
  readonly hasState: (vehicleId: string) => boolean;
}

function emptyRow(): HTMLElement {
  const row = make('div', { role: 'option', class: 'row' });
  for (const name of ['name', 'value', 'about', 'status']) row.append(make('span', { class: name }));
  return row;
}
