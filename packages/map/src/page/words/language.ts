// The language of the page: that of the address (`?lang=de`), or of the browser.
import { isWordKey, type WordKey, words } from './words.js';

export const languages = ['en', 'de', 'et', 'es'] as const;
export type LanguageCode = (typeof languages)[number];

export const languageNames: Readonly<Record<LanguageCode, string>> = {
  en: 'English',
  de: 'Deutsch',
  et: 'Eesti',
  es: 'Español',
};

const columns = { en: 0, de: 1, et: 2, es: 3 } as const satisfies Readonly<Record<LanguageCode, number>>;

export type Counted = 'vehicle' | 'trip' | 'stop' | 'place' | 'dayAgo';

export class Language {
  readonly code: LanguageCode;
  /** For dates and numbers, with the browser's region. */
  readonly locale: string;
  readonly #column: (typeof columns)[LanguageCode];
  readonly #whole: Intl.NumberFormat;

  constructor(code: LanguageCode, locale: string = code) {
    this.code = code;
    this.locale = locale;
    this.#column = columns[code];
    this.#whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  }

  text(key: WordKey, values: Readonly<Record<string, string>> = {}): string {
    return words[key][this.#column].replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole);
  }

  /** Returns `1 trip` or `1,204 trips`. */
  counted(count: number, what: Counted): string {
    return this.text(count === 1 ? `${what}.one` : `${what}.other`, { count: this.whole(count) });
  }

  /** Returns null when the page has no word for the value. */
  translation(kind: 'event' | 'wind', name: string): string | null {
    const key = `${kind}.${name}`;
    return isWordKey(key) ? this.text(key) : null;
  }

  whole(value: number): string {
    return this.#whole.format(value);
  }
}

/** Prefers the language of the address over those of the browser. */
export function languageFor(requestedTag: string | null, preferred: readonly string[]): Language {
  const translation = (tag: string) => languages.find((code) => code === tag.toLowerCase().split('-')[0]);
  const code = translation(requestedTag ?? '') ?? preferred.map(translation).find((one) => one !== undefined) ?? 'en';
  return new Language(
    code,
    preferred.find((tag) => translation(tag) === code),
  );
}
