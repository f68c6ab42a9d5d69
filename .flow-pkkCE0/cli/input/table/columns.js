import { closestNames } from "../../../core/suggestions.js";
import { spellingOf } from "../../output/headings.js";
import { membersOf } from "../../records/input-members.js";
function columnsOf(spec) {
  const references = spec.references.filter(({ into }) => into === "variables").map(({ name }) => ({ name, type: "UUID" }));
  const labels = spec.references.flatMap(({ label }) => label ? { name: label, type: "UUID" } : []);
  return [
    ...references,
    ...labels,
    ...spec.input ? membersOf(spec.input.type).flatMap((member) => below(member)) : [],
    ...spec.more ?? []
  ];
}
function below({ name, type }) {
  const members = type.startsWith("[") ? [] : membersOf(type.replace("!", ""));
  const nested = members.flatMap((member) => below(member));
  return [{ name, type }, ...nested.map((column) => ({ ...column, name: `${name}.${column.name}` }))];
}
class Headers {
  #columns;
  #otherNames;
  #bySpelling;
  /** See `open` of TableColumns. */
  open;
  constructor(spec) {
    this.#columns = columnsOf(spec);
    this.open = spec.open;
    this.#otherNames = Object.keys(spec.columns ?? {});
    const named = new Map(this.#columns.map((column) => [column.name, column]));
    const others = Object.entries(spec.columns ?? {}).flatMap(([other, name]) => {
      const column = named.get(name);
      return column ? [[spellingOf(other), column]] : [];
    });
    this.#bySpelling = new Map([
      ...others,
      ...this.#columns.map((column) => [spellingOf(column.name), column])
    ]);
  }
  get names() {
    return this.#columns.map(({ name }) => name);
  }
  find(header) {
    const named = this.#columns.find(({ name }) => name === header) ?? this.#bySpelling.get(spellingOf(header));
    return named ?? this.#openColumn(header);
  }
  #openColumn(header) {
    const dot = header.indexOf(".");
    const name = header.slice(dot + 1).trim();
    const { open } = this;
    if (open === void 0 || dot < 0 || spellingOf(header.slice(0, dot)) !== spellingOf(open) || name === "") {
      return void 0;
    }
    return { name: `${open}.${name}`, type: "String", path: [open, name] };
  }
  /**
   * Returns the nearest column for an unknown header. A column that only contains its words is not
   * suggested when the table already has that column.
   */
  suggest(title, taken) {
    const header = title.replace(/ *\([^()]*\)$/, "");
    const named = header === title ? void 0 : this.find(header);
    if (named?.unit) return `${named.name} (${named.unit})`;
    const [closest] = closestNames(header, [...this.names, ...this.#otherNames]);
    return closest ?? this.names.find((name) => !taken.has(name) && hasWords(name, header));
  }
}
function hasWords(name, header) {
  const words = wordsOf(header);
  return words.trim().length >= 3 && wordsOf(name).includes(words);
}
function wordsOf(name) {
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return ` ${words.split(/[^a-z0-9]+/).join(" ").trim()} `;
}
export {
  Headers
};
