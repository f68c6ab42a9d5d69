// The time zone switch: the fleet's, the browser's, UTC, or that of a link.
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

  /** Returns true when the zone has changed; a link may name an unknown one. */
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
