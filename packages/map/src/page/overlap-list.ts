// The list of vehicles at one point, over the map.

import type { MapVehicle } from '../shapes.js';
import { button, find, make } from './dom.js';
import { displayName } from './list-order.js';
import type { Language } from './words/language.js';

/** A limit, because the vehicle list has all of them. */
const MOST = 200;

export class OverlapList {
  readonly #target = find('heap', HTMLElement);
  readonly #language: Language;
  readonly #onSelect: (vehicleId: string) => void;

  constructor(language: Language, onSelect: (vehicleId: string) => void) {
    this.#language = language;
    this.#onSelect = onSelect;
    this.#target.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      this.hide();
      find('map', HTMLElement).focus();
    });
  }

  /** `place`: a point on the map, and the map's size. */
  show(
    vehicles: readonly MapVehicle[],
    place: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  ): void {
    const language = this.#language;
    const title = language.text('here', { vehicles: language.counted(vehicles.length, 'vehicle') });
    const items = vehicles.slice(0, MOST).map((vehicle) => {
      const choose = button(`${displayName(vehicle)} · ${language.text(vehicle.status)}`, () => {
        this.hide();
        this.#onSelect(vehicle.id);
      });
      return make('li', { 'data-status': vehicle.status }, choose);
    });
    const more = vehicles.length - items.length;
    this.#target.setAttribute('aria-label', title);
    this.#target.replaceChildren(
      make('strong', {}, title),
      make('ul', { class: 'plain' }, ...items),
      more === 0 ? '' : make('p', { class: 'quiet' }, language.text('moreHere', { count: language.whole(more) })),
    );
    this.#target.hidden = false;
    const { offsetWidth, offsetHeight } = this.#target;
    const { style } = this.#target;
    style.left = `${Math.max(8, Math.min(place.x + 14, place.width - offsetWidth - 8))}px`;
    style.top = `${Math.max(8, Math.min(place.y + 14, place.height - offsetHeight - 8))}px`;
    this.#target.querySelector('button')?.focus();
  }

  hide(): void {
    this.#target.hidden = true;
  }
}
