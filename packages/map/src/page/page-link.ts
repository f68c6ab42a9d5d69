// Reads the page's address when it changes, and writes it after a selection or a move.
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
  readonly defaultDay: () => string | null;
  readonly view: () => SharedView['map'];
  readonly heat: () => SharedView['heat'];
}

export interface PageLinkEvents {
  changed(): void;
  choose(link: Link): void;
  view(view: SharedView['map']): void;
  heat(link: SharedView['heat']): void;
  formats(): void;
}

/** Browsers limit the rate of address changes. */
const SAVE_MS = 300;

export class PageLink {
  readonly #model: PageLinkModel;
  readonly #events: PageLinkEvents;
  /** View set by the user or a link; null for the page's own. */
  #view: SharedView['map'] = null;
  /** True while several selections are combined into one history entry. */
  #isCombining = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(model: PageLinkModel, events: PageLinkEvents) {
    this.#model = model;
    this.#events = events;
    // Fires after "Back", too.
    window.addEventListener('hashchange', () => events.changed());
  }

  /** Applies the view settings, which only a copied link has. */
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

  followChoice(): void {
    this.together(() => this.#events.choose(readLink(location.hash)));
  }

  /** Writes all selections of `choose` as one history entry. */
  together(choose: () => void): void {
    this.#isCombining = true;
    choose();
    this.#isCombining = false;
    this.save();
  }

  moved(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#view = this.#model.view();
      this.save();
    }, SAVE_MS);
  }

  /** Another vehicle, place or day adds a history entry for "Back". */
  save(): void {
    if (this.#isCombining) return;
    const { chosen, defaultDay, heat } = this.#model;
    const link = chosen();
    const isStep = isOtherChoice(readLink(location.hash), link, defaultDay());
    if (isStep) {
      clearTimeout(this.#timer);
      this.#view = null;
    }
    const rest = { query: '', statuses: [], units: null, zone: null };
    const hash = writeShared(writeLink(link), { ...rest, map: this.#view, heat: heat() });
    if (hash === (location.hash || '#')) return;
    const address = hash === '#' ? location.pathname + location.search : hash;
    if (isStep) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  }

  get shared(): string {
    const { formats, filters, view, heat } = this.#model;
    const { query, only } = filters.filter();
    const { zone, fleetZone, units } = formats;
    const parts = { query, statuses: [...only], units, zone: zone === fleetZone ? null : zone };
    const shared = { map: view(), heat: heat(), ...parts };
    return new URL(writeShared(location.hash, shared), location.href).href;
  }
}
