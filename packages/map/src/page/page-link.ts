// The address of the page: it is followed when somebody opens or changes it, or goes back, and it is written when something is chosen or the map
// is moved.
import type { Filters } from './filters.js';
import type { Formats } from './format.js';
import { isOtherChoice, type Link, readLink, writeLink } from './link.js';
import { readShared, type SharedView, writeShared } from './share-link.js';
import type { ZoneSwitch } from './zone-switch.js';

export interface PageLinkModel {
  readonly formats: Formats;
  readonly filters: Filters;
  readonly zones: ZoneSwitch;
  readonly chosen: () => Link;
  /** The day of a link without one. */
  readonly defaultDay: () => string | null;
  /** The part of the map on the screen. */
  readonly view: () => SharedView['map'];
  readonly heat: () => SharedView['heat'];
}

export interface PageLinkEvents {
  /** The address has been changed. */
  changed(): void;
  choose(link: Link): void;
  /** Null: the link names none. */
  view(view: SharedView['map']): void;
  /** Null: the link has no heat map. */
  heat(link: SharedView['heat']): void;
  /** It names other units or another zone. */
  formats(): void;
}

/** Browsers limit how often an address may be written. */
const SAVE_MS = 300;

export class PageLink {
  readonly #model: PageLinkModel;
  readonly #events: PageLinkEvents;
  /** Where the map was moved to by hand, or by a link; null when it is where the page puts it. */
  #view: SharedView['map'] = null;
  /** While several things are chosen together, none is written. */
  #isHeld = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(model: PageLinkModel, events: PageLinkEvents) {
    this.#model = model;
    this.#events = events;
    // After a step back, too.
    window.addEventListener('hashchange', () => events.changed());
  }

  /** A link that was copied has more than the address of the page. */
  followView(): void {
    const { formats, filters, zones } = this.#model;
    const { map, query, statuses, units, zone, heat } = readShared(location.hash);
    if (query !== '' || statuses.length > 0) filters.set({ query, statuses });
    const hasUnits = units !== null && units !== formats.units;
    if (hasUnits) formats.units = units;
    const hasZone = zone !== null && zones.choose(zone);
    if (hasUnits || hasZone) this.#events.formats();
    clearTimeout(this.#timer);
    this.#view = map;
    this.#events.view(map);
    this.#events.heat(heat);
  }

  /** The vehicles, the day and the time, or the place. */
  followChoice(): void {
    this.together(() => this.#events.choose(readLink(location.hash)));
  }

  /** Writes what `choose` chooses as one step. */
  together(choose: () => void): void {
    this.#isHeld = true;
    choose();
    this.#isHeld = false;
    this.save();
  }

  /** The map has been moved by hand. */
  moved(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#view = this.#model.view();
      this.save();
    }, SAVE_MS);
  }

  /** Another vehicle, place or day is a step, which "Back" undoes. */
  save(): void {
    if (this.#isHeld) return;
    const { chosen, defaultDay, heat } = this.#model;
    const link = chosen();
    const isStep = isOtherChoice(readLink(location.hash), link, defaultDay());
    if (isStep) {
      clearTimeout(this.#timer);
      // The page shows the whole of what was chosen.
      this.#view = null;
    }
    const rest = { query: '', statuses: [], units: null, zone: null };
    const hash = writeShared(writeLink(link), { ...rest, map: this.#view, heat: heat() });
    if (hash === (location.hash || '#')) return;
    const address = hash === '#' ? location.pathname + location.search : hash;
    if (isStep) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  }

  /** To copy. */
  get shared(): string {
    const { formats, filters, view, heat } = this.#model;
    const { query, only } = filters.wish();
    const { zone, fleetZone, units } = formats;
    const parts = { query, statuses: [...only], units, zone: zone === fleetZone ? null : zone };
    const shared = { map: view(), heat: heat(), ...parts };
    return new URL(writeShared(location.hash, shared), location.href).href;
  }
}
