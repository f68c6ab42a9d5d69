// The system's theme, until the user switches. Canvases use the style sheet's colours.
import { find } from './dom.js';
import type { Status } from './list-order.js';

export interface Palette {
  readonly ground: string;
  readonly text: string;
  readonly muted: string;
  readonly grid: string;
  readonly road: string;
  readonly fence: string;
  readonly accent: string;
  readonly event: string;
  readonly statuses: Readonly<Record<Status, string>>;
}

const storageKey = 'fleet-map-theme';

export class ColorTheme {
  palette: Palette;
  readonly #onChange: () => void;
  readonly #dark = window.matchMedia('(prefers-color-scheme: dark)');
  /** Null for the system's theme. */
  #chosen: 'light' | 'dark' | null = stored();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    const toggle = find('theme', HTMLButtonElement);
    toggle.addEventListener('click', () => {
      this.#chosen = this.#isDark() ? 'light' : 'dark';
      store(this.#chosen);
      this.#apply();
    });
    this.#dark.addEventListener('change', () => this.#apply());
    window.matchMedia('(forced-colors: active)').addEventListener('change', () => this.#apply());
    this.palette = this.#show();
  }

  #isDark(): boolean {
    return this.#chosen === null ? this.#dark.matches : this.#chosen === 'dark';
  }

  refresh(): void {
    this.#apply();
  }

  #apply(): void {
    this.palette = this.#show();
    this.#onChange();
  }

  #show(): Palette {
    const isDark = this.#isDark();
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
    find('theme', HTMLButtonElement).setAttribute('aria-pressed', String(isDark));
    const styles = getComputedStyle(document.documentElement);
    const color = (name: string) => styles.getPropertyValue(`--${name}`).trim();
    return {
      ground: color('ground'),
      text: color('text'),
      muted: color('muted'),
      grid: color('grid'),
      road: color('road'),
      fence: color('fence'),
      accent: color('accent'),
      event: color('event'),
      statuses: {
        moving: color('moving'),
        idling: color('idling'),
        stopped: color('stopped'),
        stale: color('stale'),
        offline: color('offline'),
        unknown: color('unknown'),
      },
    };
  }
}

/** A page opened from disk may have no storage. */
function stored(): 'light' | 'dark' | null {
  try {
    const value = sessionStorage.getItem(storageKey);
    return value === 'light' || value === 'dark' ? value : null;
  } catch {
    return null;
  }
}

function store(value: string): void {
  try {
    sessionStorage.setItem(storageKey, value);
  } catch {
    // The choice is then lost on reload.
  }
}
