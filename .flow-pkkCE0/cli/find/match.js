import { didYouMean } from "../../core/suggestions.js";
import { CliError } from "../errors/cli-error.js";
import { looksLikeId } from "../parse/user-selector.js";
import { comparable, hasPart, withoutSeparators } from "../records/names.js";
import { choiceOf, recordId, textIn, textsOf } from "../records/record-kind.js";
import { isMarkedDeleted } from "../shape/deleted.js";
function findEachIn(run, kind, rows, queries, substring) {
  const match = matcher(run, kind, rows, substring);
  return queries.map((query) => {
    if (looksLikeId(query)) return query;
    try {
      return requireId(kind, match(query));
    } catch (error) {
      if (error instanceof CliError) return error;
      throw error;
    }
  });
}
function requireIds(found) {
  return found.map((id2) => {
    if (id2 instanceof CliError) throw id2;
    return id2;
  });
}
function requireId({ noun }, row) {
  const id2 = recordId(row);
  if (id2) return id2;
  throw new CliError("GRAPHQL", `The service sent no id for this ${noun}.`);
}
function singleMatch(run, kind, all, query, substring) {
  return matcher(run, kind, all, substring)(query);
}
function matcher(run, kind, all, substring) {
  const rows = all.filter((row) => !isMarkedDeleted(row));
  const { preferred } = kind;
  const sets = [...preferred ? [rows.filter(preferred)] : [], rows].map((set) => new NamedRows(kind, set));
  const matches = (query) => sets.map((set) => set.matches(query)).find((found) => found.length > 0) ?? [];
  const parts = (query) => sets.map((set) => set.withPart(query)).find((found) => found.length > 0) ?? [];
  return (query) => {
    const [only, ...others] = matches(query);
    if (only !== void 0 && others.length === 0) return only;
    if (only !== void 0) throw ambiguous(kind, query, [only, ...others]);
    const partly = parts(query);
    const [part] = partly;
    if (part === void 0) {
      const [gone, ...alike] = new NamedRows(kind, all.filter(isMarkedDeleted)).matches(query);
      if (gone !== void 0 && substring && alike.length === 0) return gone;
      if (gone !== void 0) throw notFound(kind, `The ${kind.noun} "${query}" has been deleted.`);
      const nearest = didYouMean(
        query,
        rows.flatMap((row) => textsOf(kind, row))
      );
      throw notFound(kind, `There is no ${kind.noun} "${query}".`, { hint: nearest });
    }
    if (substring && partly.length > 1) throw ambiguous(kind, query, partly);
    if (!substring || !isReadByPerson(run)) {
      const has = partly.length === 1 ? `one ${kind.noun} has` : `${partly.length} ${kind.plural} have`;
      throw notFound(kind, `There is no ${kind.noun} "${query}"; ${has} it as a part of a name.`, {
        choices: partly.map((row) => choiceOf(kind, row)),
        hint: "Give the whole name, or the id."
      });
    }
    const whole = kind.texts.find((text) => isPartOf(text, part, query));
    run.report.warn(
      `There is no ${kind.noun} "${query}"; this is ${(whole && textIn(whole, part)) ?? recordId(part)}, the only one with it in a name.`
    );
    return part;
  };
}
function isReadByPerson(run) {
  return run.globals.input && run.io.stdout.isTTY === true && run.io.stderr.isTTY === true;
}
function ambiguous(kind, query, matches) {
  return new CliError("AMBIGUOUS_NAME", `"${query}" matches ${matches.length} ${kind.plural}.`, {
    choices: matches.map((row) => choiceOf(kind, row)),
    hint: "Give more of the name, or the id."
  });
}
function notFound({ listCommand }, message, { hint, choices } = {}) {
  return new CliError("NOT_FOUND", message, { choices, hint: hint ?? `\`${listCommand}\` lists all of them.` });
}
function isPartOf(text, row, query) {
  const whole = text.isWhole ? null : textIn(text, row);
  return whole !== null && hasPart(whole, query, text.form);
}
class NamedRows {
  #kind;
  #rows;
  /** By the text as a criterion compares it; each criterion is made when it is needed. */
  #indexes = /* @__PURE__ */ new Map();
  constructor(kind, rows) {
    this.#kind = kind;
    this.#rows = [...rows];
  }
  /** The matches of the first criterion that matches anything. `by`: the texts that count; default: all, and the id. */
  matches(query, by) {
    const criteria = this.#kind.ignoresSeparators ? [exact, equal, loose] : [exact, equal];
    for (const criterion of criteria) {
      const found = this.#matchesBy(criterion, query, by ?? [...this.#kind.texts, id]);
      if (found.length > 0) return found;
    }
    return [];
  }
  withPart(query) {
    return this.#rows.filter((row) => this.#kind.texts.some((text) => isPartOf(text, row, query)));
  }
  add(row) {
    this.#rows.push(row);
    for (const [criterion, index] of this.#indexes) this.#addTo(index, criterion, row);
  }
  #matchesBy(criterion, query, texts) {
    if (query.trim() === "") return [];
    const index = this.#indexOf(criterion);
    const found = texts.flatMap((text) => index.get(keyOf(criterion, text, query)) ?? []);
    return found.length < 2 ? found : [...new Set(found)];
  }
  #indexOf(criterion) {
    const known = this.#indexes.get(criterion);
    if (known) return known;
    const index = /* @__PURE__ */ new Map();
    for (const row of this.#rows) this.#addTo(index, criterion, row);
    this.#indexes.set(criterion, index);
    return index;
  }
  #addTo(index, criterion, row) {
    for (const text of [...this.#kind.texts, id]) {
      const value = textIn(text, row);
      if (value === null) continue;
      const key = keyOf(criterion, text, value);
      const same = index.get(key);
      if (same) same.push(row);
      else index.set(key, [row]);
    }
  }
}
const exact = (text) => text;
const equal = comparable;
const loose = withoutSeparators;
const id = { noun: "id", form: "code", members: ["id"] };
function keyOf(criterion, { members, form }, text) {
  return `${members.join(" ")}
${criterion(text, form)}`;
}
export {
  NamedRows,
  findEachIn,
  notFound,
  requireId,
  requireIds,
  singleMatch
};
