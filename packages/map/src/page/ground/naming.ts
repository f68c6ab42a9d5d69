// The names of places in the language of the browser, where the data or the browser knows them.
import type { TileName } from './style.js';

export class Naming {
  readonly #language: string;
  readonly #countries: Intl.DisplayNames;
  /** Of this language, by the ids of places. */
  #names: Readonly<Record<string, unknown>> = {};

  /** `languages`: as the browser prefers them. */
  constructor(languages: readonly string[]) {
    const [language = 'en'] = languages;
    this.#language = new Intl.Locale(language).language;
    this.#countries = new Intl.DisplayNames([...languages], { type: 'region', fallback: 'none' });
  }

  /** The table in the metadata of the world: names by language and id. */
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
