// Names of places in the browser's language where available.
import type { TileName } from './style.js';

export class GroundNaming {
  readonly #language: string;
  readonly #countries: Intl.DisplayNames;
  /** Names in this language, by place id. */
  #names: Readonly<Record<string, unknown>> = {};

  /** `languages`: in the browser's order of preference. */
  constructor(languages: readonly string[]) {
    const [language = 'en'] = languages;
    this.#language = new Intl.Locale(language).language;
    this.#countries = new Intl.DisplayNames([...languages], { type: 'region', fallback: 'none' });
  }

  /** `table`: names by language and id. */
  learn(table: unknown): void {
    if (!isRecord(table)) return;
    const names = table[this.#language];
    if (isRecord(names)) this.#names = names;
  }

  textOf({ properties, id }: Pick<TileName, 'properties' | 'id'>): string {
    const { code, name } = properties;
    if (typeof code === 'string') return this.#countries.of(code) ?? '';
    const own = properties[`name:${this.#language}`] ?? (id === undefined ? undefined : this.#names[id]) ?? name;
    return typeof own === 'string' ? own : '';
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
