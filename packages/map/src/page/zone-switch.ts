// The switch of the time zone: that of the fleet, that of the browser, UTC, or the one that a link names.
import { find, make } from './dom.js';
import type { Formats } from './format.js';

export class ZoneSwitch {
  readonly #formats: Formats;
  readonly #select = find('zone', HTMLSelectElement);

  constructor(formats: Formats, onChange: () => void) {
    this.#formats = formats;
    const { language, fleetZone } = formats;
    this.#offer(fleetZone, language.text('zoneOfFleet', { zone: fleetZone }));
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    this.#offer(own, language.text('zoneOfBrowser', { zone: own }));
    this.#offer('UTC', 'UTC');
    this.#select.addEventListener('change', () => {
      formats.zone = this.#select.value;
      onChange();
    });
  }

  /** Returns whether times are in another zone now. A link may name one that this browser does not know. */
  choose(zone: string): boolean {
    if (zone === this.#formats.zone) return false;
    try {
      this.#formats.zone = zone;
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
    this.#offer(zone, zone);
    this.#select.value = zone;
    return true;
  }

  #offer(zone: string, text: string): void {
    const isThere = [...this.#select.options].some(({ value }) => value === zone);
    if (!isThere) this.#select.append(make('option', { value: zone }, text));
  }
}
