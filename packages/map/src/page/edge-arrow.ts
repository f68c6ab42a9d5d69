// The arrow at the edge of the map to a selected vehicle off the screen. A click goes there.
import { find } from './dom.js';
import type { EdgePoint } from './edge-point.js';

export class EdgeArrow {
  readonly #button = find('edge', HTMLButtonElement);
  #shown = '';

  constructor(onClick: () => void) {
    this.#button.addEventListener('click', onClick);
  }

  show(point: EdgePoint | null, label: string): void {
    const key =
      point === null ? '' : `${Math.round(point.x)} ${Math.round(point.y)} ${Math.round(point.angle)} ${label}`;
    if (key === this.#shown) return;
    this.#shown = key;
    this.#button.hidden = point === null;
    if (point === null) return;
    const { style } = this.#button;
    style.left = `${Math.round(point.x)}px`;
    style.top = `${Math.round(point.y)}px`;
    style.setProperty('--turn', `${Math.round(point.angle)}deg`);
    if (this.#button.getAttribute('aria-label') !== label) this.#button.setAttribute('aria-label', label);
  }
}
