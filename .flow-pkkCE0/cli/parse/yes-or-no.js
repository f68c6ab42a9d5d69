const yes = [
  ...["yes", "y", "true", "1"],
  ...[
    "ja",
    "j",
    "jah",
    "kyll\xE4",
    "joo",
    "si",
    "s\xED",
    "s\xEC",
    "oui",
    "sim",
    "da",
    "tak",
    "ano",
    "\xE1no",
    "igen",
    "taip",
    "j\u0101",
    "\u03BD\u03B1\u03B9",
    "\u0434\u0430",
    "\u0442\u0430\u043A"
  ],
  ...["wahr", "vrai", "verdadero", "vero", "t\xF5ene", "tosi", "waar", "sant", "prawda", "\u0438\u0441\u0442\u0438\u043D\u0430"]
];
const no = [
  ...["no", "n", "false", "0"],
  ...["nein", "ei", "nee", "nej", "nei", "non", "n\xE3o", "nu", "ne", "nie", "nem", "n\u0113", "\u03CC\u03C7\u03B9", "\u043D\u0435\u0442", "\u043D\u0435", "\u043D\u0456"],
  ...["falsch", "faux", "falso", "v\xE4\xE4r", "ep\xE4tosi", "onwaar", "falskt", "fa\u0142sz", "\u043B\u043E\u0436\u044C"]
];
const values = new Map([
  ...yes.map((word) => [word, true]),
  ...no.map((word) => [word, false])
]);
function yesOrNo(text) {
  return values.get(text.trim().normalize("NFC").toLowerCase()) ?? null;
}
export {
  yesOrNo
};
