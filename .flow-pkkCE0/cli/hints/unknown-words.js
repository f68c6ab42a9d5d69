import { closestNames } from "../../core/suggestions.js";
import { operations } from "../../generated/operation-table.js";
import { flagForms } from "./flag-forms.js";
import { answers, commandWords, flagAnswers, flagWords, nounOfRecords, verbWords } from "./synonyms.js";
import { brokenPosition, formOf, takesWords } from "./verb-forms.js";
function hintAbout({ code }, program, extra = /* @__PURE__ */ new Map()) {
  const command = deepest(program);
  if (code === "commander.unknownOption") return flagHint(command, program);
  if (code === "commander.excessArguments") return argumentHint(command, program);
  if (code !== "commander.unknownCommand") return null;
  return command === program ? commandHint(program, extra) : verbHint(command, program);
}
function deepest(command) {
  const below = command.commands.find((known) => known.name() === command.args[0]);
  return below === void 0 ? command : deepest(below);
}
function commandHint(program, extra) {
  const [word = "", ...rest] = program.args;
  const leads = leadsOf(word, rest, program);
  if (leads.length > 0) return meant(leads);
  const near = closestNames(word, [...namesOf(program), ...extra.keys()]).map((name) => extra.get(name) ?? name);
  if (near.length === 0 && /[\d ]/.test(word)) return meant([`fleet ${withWords("vehicles get \u2026", [word])}`]);
  return meant(near);
}
function verbHint(noun, program) {
  const [word = "", ...rest] = noun.args;
  if (word === "help") return null;
  const verbs = namesOf(noun);
  const meaning = verbOf(word);
  const verb = meaning === "apply" && verbs.includes("import") ? "import" : meaning;
  const answer = answers[`${noun.name()} ${verb}`];
  if (answer !== void 0) return answer;
  const form = formOf(noun.name(), [word, verb], rest);
  if (form !== null) return meant([form]);
  if (verb === "apply" && noun.name() === "people") return fileHint("people", rest);
  if (verbs.includes(verb)) return meant([leadTo(noun.name(), noun, verb, rest)]);
  const near = closestNames(word, verbs);
  if (near.length > 0 && !isChange(verb)) return meant(near);
  const other = nounOfRecords[noun.name()];
  if (other !== void 0 && Object.hasOwn(verbWords, verb)) {
    if (verb === "apply") return fileHint(other, rest);
    return meant([formOf(other, [word, verb], rest) ?? leadTo(other, void 0, verb, rest)]);
  }
  const commands = `Commands of \`fleet ${noun.name()}\`: ${verbs.join(", ")}.`;
  if (isChange(verb) && lacksOperation(noun.name(), verb)) {
    return `The service has no operation to ${verb} ${noun.name()}. ${commands}`;
  }
  const isVerb = Object.hasOwn(verbWords, verb);
  const leads = isVerb ? [] : leadsOf(word, rest, program);
  if (leads.length > 0) return meant(leads);
  const reader = isChange(verb) ? void 0 : ["get", "list"].find((name) => takesNames(noun, name));
  if (reader === void 0) return commands;
  return `${commands} To look up a name: \`fleet ${noun.name()} ${withWords(`${reader} \u2026`, isVerb ? rest : noun.args)}\`.`;
}
function leadTo(name, noun, verb, words) {
  return takesWords(noun, verb, words.length) ? `fleet ${name} ${withWords(`${verb} \u2026`, words)}` : `fleet ${name} ${verb} --help`;
}
function argumentHint(command, program) {
  const { parent } = command;
  if (command.commands.length > 0) return verbHint(command, program);
  const position = brokenPosition([...command.args, ...Object.values(command.opts()).map(String)]);
  if (position !== null) return `Write the position without a blank: ${position}`;
  const form = formOf(parent?.name() ?? "", [command.name()], command.args);
  if (form !== null) return meant([form]);
  if (command.name() === "create" && command.options.map(({ long }) => long).includes("--name")) {
    return 'Give the name with --name, such as --name "Winter 5". Add --help to see the other flags.';
  }
  if (parent === null || tookFlagAsValue(program)) return null;
  const [word = ""] = command.args;
  if (parent === program && namesOf(program).includes(word)) return meant([`fleet ${word}`]);
  if (command.options.map(({ long }) => long).includes("--vehicle")) {
    return meant([`fleet ${parent.name()} ${command.name()} ${withWords("--vehicle \u2026", command.args)}`]);
  }
  if (command.name() !== "list") return null;
  return takesNames(parent, "get") ? meant([`fleet ${parent.name()} ${withWords("get \u2026", command.args)}`]) : meant([`fleet ${parent.name()} ${withWords('list --filter "name~\u2026"', command.args)}`]);
}
function tookFlagAsValue(program) {
  return Object.values(program.opts()).some(
    (value) => program.options.some(({ short, long }) => value === short || value === long)
  );
}
function flagHint(command, program) {
  const at = command.args.findIndex((word) => word.length > 1 && word.startsWith("-"));
  const [flag = "", attached] = (command.args[at] ?? "").split(/=(.*)/s);
  const typed = attached ?? command.args[at + 1] ?? "";
  const answer = flagAnswers[flag] ?? flagForms[flag]?.(command, command.args.slice(0, at), typed) ?? null;
  if (answer !== null) return answer;
  const known = [...command.options, ...command.parent?.options ?? [], ...program.options];
  const isKnown = (lead2) => known.some(({ short, long }) => [short, long].includes(lead2.split(" ")[0]));
  const lead = [flagWords[flag] ?? []].flat().find(isKnown);
  if (lead !== void 0) {
    const next = command.args[at + 1];
    const hint = meant([
      withWords(
        lead,
        [attached ?? next ?? ""].filter((value) => !value.startsWith("-"))
      )
    ]);
    const isAlone = !program.args.some((word) => namesOf(program).includes(word));
    return isAlone && lead.startsWith("-o ") ? `${hint} It belongs to a command: \`fleet vehicles list ${lead}\`.` : hint;
  }
  const { parent } = command;
  const siblings = parent === null || parent === program ? [] : parent.commands;
  const owners = siblings.filter((other) => other.options.some(({ long }) => long === flag));
  if (owners.length > 0 && owners.length <= 3) {
    return `${flag} belongs to ${owners.map((other) => `\`fleet ${parent?.name()} ${other.name()}\``).join(" and ")}.`;
  }
  return meant(closestNames(flag, flag.startsWith("--") ? known.flatMap(({ long }) => long ?? []) : []));
}
function leadsOf(word, rest, program) {
  const leads = Object.hasOwn(commandWords, word.toLowerCase()) ? commandWords[word.toLowerCase()] ?? [] : [];
  const has = (lead) => lead.startsWith("-") || namesOf(program).includes(lead.split(" ")[0] ?? "");
  const takesName = (lead) => Number(rest.length === 0 && lead.includes("\u2026"));
  return leads.filter(has).toSorted((a, b) => takesName(a) - takesName(b)).map((lead) => `fleet ${withWords(lead, rest)}`);
}
function fileHint(noun, file) {
  return `Did you mean \`fleet ${noun} ${withWords("apply \u2026", file)}\`? It changes the records that are there, and adds the others.`;
}
function verbOf(typed) {
  const word = typed.toLowerCase();
  return Object.entries(verbWords).find(([, synonyms]) => synonyms.includes(word))?.[0] ?? word;
}
function isChange(verb) {
  return verb === "create" || verb === "update" || verb === "delete";
}
function lacksOperation(noun, verb) {
  const plural = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
  const list = Object.values(operations).find(
    ({ name, kind }) => kind === "query" && new RegExp(`^get[A-Za-z]*${plural}(By[A-Z]\\w*)?$`).test(name)
  );
  return list !== void 0 && !Object.hasOwn(operations, `${verb}${list.returns.type}`);
}
function namesOf(command) {
  return command.commands.map((below) => below.name()).filter((name) => !name.startsWith("__"));
}
function takesNames(noun, verb) {
  return noun.commands.some((below) => below.name() === verb && below.registeredArguments.length > 0);
}
function withWords(lead, words) {
  const plain = words.length > 0 && words.every((word) => /^[\p{L}\p{N} .,@:_-]+$/u.test(word) && !word.startsWith("-"));
  const isQuoted = lead.includes('"');
  const typed = words.map((word) => /^[\p{L}\p{N}.,@:_-]+$/u.test(word) || isQuoted ? word : `"${word}"`).join(" ");
  if (plain) return lead.replace("\u2026", typed);
  return isQuoted ? lead : lead.replace(/ ?…/, "");
}
function meant(names) {
  if (names.length === 0) return null;
  const shown = names.map((name) => name.includes(" ") ? `\`${name}\`` : name);
  return `Did you mean ${shown.length === 1 ? shown[0] : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`}?`;
}
export {
  hintAbout
};
