// The address of the page: it is followed when somebody opens or changes it, and it is written when something is chosen.
import type { Filters } from './filters.js';
import type { Formats } from './format.js';
import { type Link, readLink, writeLink } from './link.js';
import { readShared, type SharedView, writeShared } from './share-link.js';
import type { ZoneSwitch } from './zone-switch.js';

export interface PageLinkModel {
  readonly formats: Formats;
  readonly filters: Filters;
  readonly zones: ZoneSwitch;
  readonly chosen: () => Link;
  /** The part of the map on the screen. */
  readonly view: () => SharedView['map'];
}

export interface PageLinkEvents {
  /** The address has been changed. */
  changed(): void;
  choose(link: Link): void;
  /** Null: the link names none. */
  view(view: SharedView['map']): void;
  /** It names other units or another zone. */
  formats(): void;
}

export class PageLink {
  readonly #model: PageLinkModel;
  readonly #events: PageLinkEvents;

  constructor(model: PageLinkModel, events: PageLinkEvents) {
    this.#model = model;
    this.#events = events;
    window.addEventListener('hashchange', () => events.changed());
  }

  /** A link that was copied has more than the address of the page. */
  followView(): void {
    const { formats, filters, zones } = this.#model;
    const { map, query, statuses, units, zone } = readShared(location.hash);
    if (query !== '' || statuses.length > 0) filters.set({ query, statuses });
    const hasUnits = units !== null && units !== formats.units;
    if (hasUnits) formats.units = units;
    const hasZone = zone !== null && zones.choose(zone);
    if (hasUnits || hasZone) this.#events.formats();
    this.#events.view(map);
  }

  /** The vehicles, the day and the time. */
  followChoice(): void {
    this.#events.choose(readLink(location.hash));
  }

  save(): void {
    const link = writeLink(this.#model.chosen());
    if (link !== location.hash) history.replaceState(null, '', link || location.pathname);
  }

  /** To copy. */
  get shared(): string {
    const { formats, filters, view } = this.#model;
    const { query, only } = filters.wish();
    const { zone, fleetZone, units } = formats;
    const shared = { map: view(), query, statuses: [...only], units, zone: zone === fleetZone ? null : zone };
    return new URL(writeShared(location.hash, shared), location.href).href;
  }
}
