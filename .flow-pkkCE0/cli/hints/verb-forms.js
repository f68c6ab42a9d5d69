const any = /^/;
const position = /^\d+(\.\d+)?,-?\d+(\.\d+)?$/;
const distance = /^\d+(\.\d+)?(m|km|mi)?$/;
const file = /\.(csv|tsv|xlsx|json|ndjson|jsonl|yaml|yml)$/i;
const rename = (noun) => ({ lead: `${noun} update $1 --name $2`, words: [any, any] });
const fromFile = (noun, verb = "apply") => ({ lead: `${noun} ${verb} $1`, words: [file] });
const forms = {
  "geofences create": [
    { lead: "geofences create --name $1 --at $2 --radius $3", words: [any, position, distance] },
    { lead: "geofences create --name $1 --at $2 --radius 200m", words: [any, position] },
    fromFile("geofences", "import")
  ],
  "geofences rename": [rename("geofences")],
  "groups add": [{ lead: "vehicles groups $2 --add $1", words: [any, any] }],
  "groups remove": [{ lead: "vehicles groups $2 --remove $1", words: [any, any] }],
  "groups create": [fromFile("groups"), { lead: "groups create --name $1", words: [any] }],
  "groups rename": [rename("groups")],
  "people create": [
    fromFile("people"),
    { lead: "people create --first-name $1 --last-name $2 --is-driver", words: [any, any] }
  ],
  "vehicles rename": [rename("vehicles")]
};
function formOf(noun, verbs, words) {
  if (!words.every((word) => /^[\p{L}\p{N} .,@:_-]+$/u.test(word) && !word.startsWith("-"))) return null;
  const known = verbs.flatMap((verb) => {
    const name = `${noun} ${verb}`;
    return Object.hasOwn(forms, name) ? forms[name] ?? [] : [];
  });
  const form = known.find(
    (one) => one.words.length === words.length && one.words.every((kind, index) => kind.test(words[index] ?? ""))
  );
  if (form === void 0) return null;
  const typed = words.map((word) => word.includes(" ") ? `"${word}"` : word);
  return `fleet ${form.lead.replace(/\$(\d)/g, (_, number) => typed[Number(number) - 1] ?? "")}`;
}
function takesWords(noun, verb, count) {
  const command = noun?.commands.find((below) => below.name() === verb);
  if (command === void 0) return verb !== "create" || count === 0;
  const { registeredArguments } = command;
  return registeredArguments.some(({ variadic }) => variadic) || registeredArguments.length >= count;
}
function brokenPosition(values) {
  const half = values.find((value) => /^-?\d+(\.\d+)?,$/.test(value));
  const other = values.find((value) => /^-?\d+(\.\d+)?$/.test(value));
  return half === void 0 || other === void 0 ? null : `${half}${other}`;
}
export {
  brokenPosition,
  formOf,
  takesWords
};
