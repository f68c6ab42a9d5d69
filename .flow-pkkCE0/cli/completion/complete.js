import { isRepeatable } from "../help/documented-command.js";
import { usesGlobal } from "../help/global-use.js";
import { helpTopics } from "../help/topic-names.js";
import { kindOfPlaceholder } from "../records/all-kinds.js";
import { caseless } from "../records/names.js";
import { fieldCandidates } from "./field-candidates.js";
function nameKindOf(placeholder) {
  return placeholder === "report" || placeholder === "user" ? placeholder : kindOfPlaceholder(placeholder);
}
function placeholderOf(flags) {
  return /[<[]([a-z-]+)/.exec(flags)?.[1] ?? "";
}
const topicCandidates = Object.entries(helpTopics).map(([value, about]) => ({ value, about }));
const nothing = { candidates: [], files: false };
async function complete(program, words, sources) {
  const position = await positionOf(program, words.slice(0, -1), sources);
  if (position === null) return nothing;
  const typed = words.at(-1) ?? "";
  const { command, expecting, isAfterOptions } = position;
  if (expecting) return fitting(await valuesOf(expecting, typed, position, sources), typed);
  if (typed.startsWith("-") && !isAfterOptions) {
    const [flag, ...values] = typed.split("=");
    const option = values.length > 0 ? optionNamed(position, flag ?? "") : void 0;
    if (option && takesValue(option)) {
      const { candidates, files } = await valuesOf(option, values.join("="), position, sources);
      const flagsWithValue = candidates.map(({ value, about }) => ({ value: `${flag}=${value}`, about }));
      return fitting({ candidates: flagsWithValue, files }, typed);
    }
    return fitting({ candidates: flagsAt(position), files: false }, typed);
  }
  if (command.commands.length > 0) {
    const known = command.commands.filter((known2) => !isHidden(known2));
    const nouns = known.map((known2) => ({ value: known2.name(), about: known2.summary() || known2.description() }));
    const isHelp = words[0] === "help";
    const help = command === program ? isHelp ? topicCandidates : [{ value: "help", about: "show help for a command" }] : [];
    return fitting({ candidates: [...nouns, ...help], files: false }, typed);
  }
  return fitting(await argumentAt(position, sources), typed);
}
async function positionOf(program, before, sources) {
  const words = before[0] === "help" ? before.slice(1) : before;
  const used = /* @__PURE__ */ new Set();
  const typed = {};
  const path = [];
  let command = program;
  let expecting;
  let operands = 0;
  let isAfterOptions = false;
  for (const word of words) {
    if (expecting) {
      typed[expecting.attributeName()] = word;
      expecting = void 0;
    } else if (!isAfterOptions && word === "--") {
      isAfterOptions = true;
    } else if (!isAfterOptions && /^-./.test(word)) {
      const option = optionNamed({ command }, word.split("=")[0] ?? "");
      if (option) {
        used.add(option);
        const [, ...value] = word.split("=");
        typed[option.attributeName()] = value.length > 0 ? value.join("=") : true;
      }
      if (option?.required && !word.includes("=")) expecting = option;
    } else if (command.commands.length > 0) {
      const next = command.commands.find((known) => known.name() === word && !isHidden(known));
      if (!next) return null;
      if (command === program) await sources.load(next);
      command = next;
      path.push(word);
    } else {
      operands++;
    }
  }
  return { command, path, expecting, used, typed, operands, isAfterOptions };
}
function optionNamed({ command }, flag) {
  return optionsOf(command).find(({ long, short }) => long === flag || short === flag);
}
function optionsOf(command) {
  const above = command.parent ? optionsOf(command.parent).filter(({ long }) => long !== "--version") : [];
  return [...command.options.filter(({ hidden }) => !hidden), ...above];
}
function programOf(command) {
  return command.parent === null ? command : programOf(command.parent);
}
function takesValue(option) {
  return option.required || option.optional;
}
function flagsAt({ command, used }) {
  const globals = programOf(command).options;
  const isUsable = (option) => !globals.includes(option) || usesGlobal(command, option.attributeName());
  const flags = optionsOf(command).filter(isUsable).flatMap(
    (option) => option.long && (!used.has(option) || isRepeatable(option)) ? { value: option.long, about: option.description } : []
  );
  return [...flags, { value: "--help", about: "show help" }];
}
async function valuesOf(option, typed, position, sources) {
  if (option.argChoices) return { candidates: option.argChoices.map((value) => ({ value, about: "" })), files: false };
  if (option.flags.includes("<file")) return { candidates: [], files: true };
  if (option.long === "--profile") return { candidates: await sources.profiles(), files: false };
  const kind = nameKindOf(placeholderOf(option.flags));
  if (kind !== null) return { candidates: await sources.names(kind, position.typed), files: false };
  const flag = fieldFlags.find((name) => name === option.long);
  const fields = flag ? await sources.fieldsOf(position.path, position.command) : null;
  return flag && fields ? { candidates: fieldCandidates(flag, typed, fields), files: false } : nothing;
}
const fieldFlags = ["--fields", "--sort", "--filter"];
async function argumentAt({ command, operands, typed }, sources) {
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[operands] ?? (last?.variadic ? last : void 0);
  if (argument?.argChoices) {
    return { candidates: argument.argChoices.map((value) => ({ value, about: "" })), files: false };
  }
  if (argument?.name() === "profile") return { candidates: await sources.profiles(), files: false };
  const kind = nameKindOf(argument?.name() ?? "");
  if (kind !== null) return { candidates: await sources.names(kind, typed), files: false };
  return argument?.name() === "file" ? { candidates: [], files: true } : nothing;
}
function fitting({ candidates, files }, typed) {
  return {
    candidates: candidates.filter(
      ({ value }) => value.startsWith(typed) || caseless(value).startsWith(caseless(typed))
    ),
    files
  };
}
function isHidden(command) {
  return command.name().startsWith("__");
}
export {
  complete
};
