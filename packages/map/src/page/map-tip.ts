// The tooltip of the mark or the geofence under the pointer.
import { find, setText } from './dom.js';
import { clusterCountsText } from './draw-clusters.js';
import type { Mark } from './draw-vehicles.js';
import type { Fence } from './fence.js';
import type { Formats } from './format.js';
import { displayName } from './list-order.js';
import type { ScreenTime } from './screen-time.js';

export class MapTip {
  readonly #target = find('tip', HTMLElement);
  readonly #formats: Formats;
  readonly #time: ScreenTime;

  constructor(formats: Formats, time: ScreenTime) {
    this.#formats = formats;
    this.#time = time;
  }

  show(under: Mark | Fence | null, x: number, y: number): void {
    this.#target.hidden = under === null;
    if (under === null) return;
    const isFence = 'geofence' in under;
    this.#target.dataset.kind = isFence ? 'place' : 'vehicles';
    setText(this.#target, isFence ? under.name || this.#formats.language.text('geofence') : this.#text(under));
    this.#target.style.transform = `translate(${x + 14}px, ${y + 14}px)`;
  }

  #text({ members: [marker], counts }: Mark): string {
    const { language } = this.#formats;
    if (counts !== null) return clusterCountsText(counts, language);
    if (marker === undefined) return '';
    const { vehicle } = marker;
    const { status, speed, at } = vehicle;
    const { time, shownNow } = this.#time;
    const isTrue = status === 'moving' && speed !== null && time !== 'late';
    const ago = at === null ? '' : this.#formats.age(Math.max(0, shownNow - at), time);
    const value = isTrue ? this.#formats.speed(speed) : ago;
    return [displayName(vehicle), language.text(status), value, vehicle.driver].filter(Boolean).join(' · ');
  }
}
