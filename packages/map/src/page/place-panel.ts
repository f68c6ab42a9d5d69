// The panel of a selected geofence, with the nearest vehicles.
import { silentStatuses } from 'fleet-telematics/kit';
import { button, find, make, setText } from './dom.js';
import type { Fence } from './fence.js';
import { type NearVehicle, nearestVehicles } from './fence-distance.js';
import type { Formats } from './format.js';
import { displayName } from './list-order.js';
import type { ScreenTime } from './screen-time.js';
import type { ShownFleet } from './shown-fleet.js';

const MOST = 5;

export interface PlacePanelModel {
  readonly formats: Formats;
  readonly shown: ShownFleet;
  readonly time: ScreenTime;
}

export interface PlacePanelEvents {
  close(): void;
  choose(vehicleId: string): void;
}

export class PlacePanel {
  readonly #model: PlacePanelModel;
  readonly #events: PlacePanelEvents;
  readonly #target = find('place', HTMLElement);
  readonly #title = make('h2', { id: 'place-title', tabindex: '-1', dir: 'auto' });
  readonly #facts = make('dl', { class: 'facts' });
  readonly #near = make('ul', { class: 'plain' });
  #fence: Fence | null = null;
  #listed = '';

  constructor(model: PlacePanelModel, events: PlacePanelEvents) {
    this.#model = model;
    this.#events = events;
    const { language } = model.formats;
    this.#target.append(
      make(
        'div',
        { class: 'panel-head' },
        this.#title,
        button('×', () => events.close(), { class: 'close', 'aria-label': language.text('close') }),
      ),
      this.#facts,
      make('h3', {}, language.text('nearestVehicles')),
      this.#near,
    );
  }

  get fence(): Fence | null {
    return this.#fence;
  }

  choose(fence: Fence | null): void {
    this.#fence = fence;
    this.#target.hidden = fence === null;
    if (fence === null) return;
    const { language } = this.#model.formats;
    const { name, color, geofence } = fence;
    setText(this.#title, name || language.text('geofence'));
    const swatch = make('i', { class: 'swatch' });
    swatch.style.background = color ?? 'var(--fence)';
    const facts = [
      ['type', geofence.type],
      ['address', geofence.address],
      ['color', color],
    ] as const;
    this.#facts.replaceChildren(
      ...facts.flatMap(([key, text]) =>
        text === null
          ? []
          : [
              make('dt', {}, language.text(key)),
              make('dd', { dir: 'auto' }, ...(key === 'color' ? [swatch, text] : [text])),
            ],
      ),
    );
    this.#near.replaceChildren();
    this.show();
  }

  show(): void {
    if (this.#fence === null) return;
    const near = nearestVehicles(this.#fence, this.#model.shown.fleet.markers.values(), MOST);
    const lines = near.map(
      (one) => [one.vehicle.id, displayName(one.vehicle), one.vehicle.status, this.#about(one)] as const,
    );
    const listed = lines.join('\n');
    if (listed === this.#listed && this.#near.hasChildNodes()) return;
    this.#listed = listed;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.vehicle : undefined;
    const items = lines.map(([id, name, status, about]) => {
      const item = button('', () => this.#events.choose(id), { class: 'item', 'data-vehicle': id });
      item.append(make('strong', {}, name), make('span', {}, about));
      return make('li', { 'data-status': status }, item);
    });
    const none = make('li', { class: 'quiet' }, this.#model.formats.language.text('noData'));
    this.#near.replaceChildren(...(items.length === 0 ? [none] : items));
    if (focused === undefined) return;
    this.#near.querySelector<HTMLElement>(`[data-vehicle="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  focus(): void {
    this.#title.focus();
  }

  /** Adds the age to a silent or late status. */
  #about({ vehicle: { status, deactivated, speed, at }, metres }: NearVehicle): string {
    const { formats, time } = this.#model;
    const { language } = formats;
    const isSilent = silentStatuses.includes(status);
    const isLate = time.time === 'late';
    const parts = [
      metres === 0 ? language.text('inside') : formats.metres(metres),
      language.text(deactivated ? 'deactivated' : status),
      status === 'moving' && speed !== null && !isLate ? formats.speed(speed) : '',
      at !== null && isSilent ? language.text('since', { time: formats.pastMoment(at, time.shownNow - at) }) : '',
      at !== null && isLate && !isSilent ? formats.ago(time.shownNow - at) : '',
    ];
    return parts.filter(Boolean).join(' · ');
  }
}
