// The language switch. It reloads the page with the same selection.
import { find, make } from '../dom.js';
import { type Language, languageNames, languages } from './language.js';

export function showLanguages({ code }: Language): void {
  const target = find('language', HTMLSelectElement);
  target.append(
    ...languages.map((each) =>
      make('option', { value: each, lang: each, selected: each === code }, languageNames[each]),
    ),
  );
  target.addEventListener('change', () => {
    const values = new URLSearchParams(location.search);
    values.set('lang', target.value);
    location.search = values.toString();
  });
}
