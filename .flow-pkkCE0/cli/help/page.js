import { DocumentedCommand } from "./documented-command.js";
import { usesGlobal } from "./global-use.js";
import { groupOf, groupsInOneLine, nounGroups } from "./noun-groups.js";
import { helpTopics } from "./topic-names.js";
const SCREEN = 24;
const LONGEST = 40;
const whole = { notes: true, examples: Number.POSITIVE_INFINITY, options: "whole" };
const shorter = [
  { notes: false, examples: 4, options: "whole" },
  { notes: false, examples: 3, options: "clause" },
  { notes: false, examples: 3, options: "line" }
];
function formatHelp(command, helper) {
  const all = pageOf(command, helper, whole);
  if (command.args.includes("--all")) return all;
  const pages = [all, ...shorter.map((detail) => pageOf(command, helper, detail))];
  const fits = (most) => pages.find((page) => page.split("\n").length - 1 <= most);
  return (command.parent === null ? pages[1] : fits(SCREEN) ?? fits(LONGEST) ?? pages.at(-1)) ?? all;
}
function pageOf(command, helper, detail) {
  const width = helper.helpWidth ?? 80;
  const blocks = command instanceof DocumentedCommand ? command.blocks : [];
  const isProgram = command.parent === null;
  const options = helper.visibleOptions(command).filter(({ long }) => long !== "--help");
  const items = optionItems(helper, options).map((item) => cut(item, detail));
  const sections = [
    [`Usage: ${usageOf(command, helper)}`],
    command.description() === "" ? [] : [helper.boxWrap(command.description(), width)],
    ...blocks.filter(isExamples).map((block) => exampleLines(block, detail.examples, width)),
    ...isProgram ? nounSections(command, width, helper, detail) : [verbSection(command, width, helper)],
    itemLines("Arguments", argumentItems(command, helper), width, helper),
    isProgram ? [] : optionLines(items, detail, width, helper),
    ...detail.notes ? blocks.filter((block) => !isExamples(block)).map((block) => noteLines(block, width, helper)) : [],
    footer(command, detail)
  ];
  return `${sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n")).join("\n\n")}
`;
}
function footer(command, { notes }) {
  if (command.parent === null) {
    return notes ? [] : [
      "More: fleet <command> --help, fleet --help --all,",
      `      ${Object.keys(helpTopics).map((topic) => `fleet help ${topic}`).join(", ")}`
    ];
  }
  const general = ["--output", "--filter", "--quiet", "--verbose"].filter((flag) => usesGlobal(command, flag.slice(2))).slice(0, 2);
  const options = `Options of many commands, such as ${general.join(" and ")}: fleet help options`;
  return notes ? [options] : [`More: ${pathOf(command)} --help --all`, options];
}
function pathOf(command) {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
function cut(item, { options }) {
  if (options === "whole") return item;
  return { ...item, about: (/^.+?(?=[;:]| \(|, such as|$)/s.exec(item.about)?.[0] ?? item.about).trim() };
}
function optionLines(items, { options }, width, helper) {
  if (options !== "line") return itemLines("Options", items, width, helper);
  const room = Math.max(20, width - longestTerm(items) - 4);
  const first = ({ term, about }) => {
    const [line = "", more] = helper.boxWrap(about, room - 2).split("\n");
    return { term, about: more === void 0 ? line : `${line.replace(/[,;:]$/, "")} \u2026` };
  };
  return itemLines("Options", items.map(first), width, helper);
}
function usageOf(command, helper) {
  return command.commands.length === 0 || command.parent === null ? helper.commandUsage(command) : helper.commandUsage(command).replace(/\[options\] \[command\]$/, "<command> [options]");
}
function helpWidthOf(command) {
  return command.configureOutput().getOutHelpWidth?.() ?? 80;
}
function optionItems(helper, options) {
  return options.map((option) => ({ term: helper.optionTerm(option), about: helper.optionDescription(option) }));
}
function argumentItems(command, helper) {
  return helper.visibleArguments(command).map((argument) => ({ term: helper.argumentTerm(argument), about: helper.argumentDescription(argument) }));
}
function visibleCommands(command, helper) {
  return helper.visibleCommands(command).filter((below) => command.commands.includes(below));
}
function nounSections(program, width, helper, { notes }) {
  const nouns = visibleCommands(program, helper);
  const groups = [...Object.keys(nounGroups), null].map((group) => {
    const members = nouns.filter((noun) => groupOf(noun.name()) === group).map((noun) => nounItem(noun));
    const items = inOrderOf(members, group);
    const about = group === null ? void 0 : groupsInOneLine[group];
    if (about !== void 0 && !notes && items.length > 0) {
      const line = `${items.map(({ term }) => term).join(", ")}: ${about}`;
      return [
        `${group}:`,
        ...helper.boxWrap(line, width - 2).split("\n").map((part) => `  ${part}`)
      ];
    }
    return itemLines(group ?? "Other", items, width, helper, longestTerm(nouns.map(nounItem)));
  });
  return notes ? groups : [groups.flat()];
}
function inOrderOf(members, group) {
  const order = group === null ? [] : nounGroups[group] ?? [];
  return [...members].sort((one, other) => order.indexOf(one.term) - order.indexOf(other.term));
}
function nounItem(noun) {
  return { term: noun.name(), about: noun.summary() || noun.description() };
}
function verbSection(noun, width, helper) {
  const verbs = visibleCommands(noun, helper).map((verb) => ({
    term: helper.subcommandTerm(verb).replace(" [options]", ""),
    about: withoutOperations(verb.summary() || verb.description())
  }));
  return itemLines("Commands", verbs, width, helper);
}
function withoutOperations(text) {
  return text.replace(/ ?\([^()]*\b[a-z]+[A-Z][A-Za-z]*\b[^()]*\)/g, "");
}
const NARROWEST = 24;
function itemLines(heading, items, width, helper, termWidth = longestTerm(items)) {
  if (items.length === 0) return [];
  const room = width - termWidth - 4;
  if (room < NARROWEST) {
    const below = ({ term, about }) => [
      `  ${term}`,
      ...helper.boxWrap(about, width - 6).split("\n").map((line) => `      ${line}`)
    ];
    return [`${heading}:`, ...items.flatMap(below)];
  }
  const lines = items.flatMap(({ term, about }) => {
    const [first = "", ...more] = helper.boxWrap(about, room).split("\n");
    const indent = " ".repeat(termWidth + 4);
    return [`  ${term.padEnd(termWidth)}  ${first}`.trimEnd(), ...more.map((line) => `${indent}${line}`)];
  });
  return [`${heading}:`, ...lines];
}
function longestTerm(items) {
  return Math.max(...items.map(({ term }) => term.length));
}
function isExamples({ heading }) {
  return heading === "Examples";
}
function noteLines(block, width, helper) {
  if (block.heading === null) return sentencesOf(block.lines).map((line) => helper.boxWrap(line, width));
  return [`${block.heading}:`, ...block.lines.flatMap((line) => hanging(line, width, helper))];
}
function sentencesOf(lines) {
  return lines.join("\n").replace(/(?<=[^.:\n])\n(?=\S)/g, " ").split("\n");
}
function hanging(line, width, helper) {
  if (line.length <= width) return [line];
  const [, columns = ""] = /^(\s*\S.*?\s{2,})\S/.exec(line) ?? [];
  const indent = columns !== "" && columns.length <= width / 2 ? columns.length : 4;
  const begin = line.slice(0, indent).trim() === "" ? "" : line.slice(0, indent);
  const [first = "", ...more] = helper.boxWrap(line.slice(begin.length).trim(), width - indent).split("\n");
  return [`${begin === "" ? "  " : begin}${first}`, ...more.map((text) => `${" ".repeat(indent)}${text}`)];
}
function exampleLines({ heading, lines }, most, width) {
  const parts = lines.slice(0, most).map((line) => {
    const [, command = "", meaning = ""] = /^ *(\S.*?)(?: {2,}(\S.*))?$/.exec(line) ?? [];
    return { command, meaning };
  });
  const fitting = parts.filter(
    ({ command, meaning }) => meaning !== "" && command.length + meaning.length + 4 <= width
  );
  const column = Math.max(0, ...fitting.map(({ command }) => command.length));
  const shown = parts.flatMap(({ command, meaning }) => {
    if (meaning === "") return [`  ${command}`];
    const room = width - meaning.length - 4;
    if (command.length > room) return [`  ${command}`, `      ${meaning}`];
    return [`  ${command.padEnd(Math.min(column, room))}  ${meaning}`];
  });
  return [`${heading}:`, ...shown];
}
export {
  formatHelp,
  helpWidthOf,
  itemLines,
  optionItems
};
