// Parses yes and no in European languages, because files come from localized spreadsheets.

const yes = [
  ...['yes', 'y', 'true', '1'],
  ...[
    'ja',
    'j',
    'jah',
    'kyllä',
    'joo',
    'si',
    'sí',
    'sì',
    'oui',
    'sim',
    'da',
    'tak',
    'ano',
    'áno',
    'igen',
    'taip',
    'jā',
    'ναι',
    'да',
    'так',
  ],
  ...['wahr', 'vrai', 'verdadero', 'vero', 'tõene', 'tosi', 'waar', 'sant', 'prawda', 'истина'],
];

const no = [
  ...['no', 'n', 'false', '0'],
  ...['nein', 'ei', 'nee', 'nej', 'nei', 'non', 'não', 'nu', 'ne', 'nie', 'nem', 'nē', 'όχι', 'нет', 'не', 'ні'],
  ...['falsch', 'faux', 'falso', 'väär', 'epätosi', 'onwaar', 'falskt', 'fałsz', 'ложь'],
];

const values: ReadonlyMap<string, boolean> = new Map([
  ...yes.map((word) => [word, true] as const),
  ...no.map((word) => [word, false] as const),
]);

/** Returns null for other texts. */
export function yesOrNo(text: string): boolean | null {
  return values.get(text.trim().normalize('NFC').toLowerCase()) ?? null;
}
