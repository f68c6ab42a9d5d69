class Report {
  #warnings = /* @__PURE__ */ new Set();
  #remarks = /* @__PURE__ */ new Set();
  #partial = [];
  #wasPaged = false;
  #hasDifferences = false;
  #rows = 0;
  /** Told once, when the command ends. */
  warn(text) {
    this.#warnings.add(text);
  }
  /** Told below the rows that it is about. */
  remark(text) {
    this.#remarks.add(text);
  }
  /**
   * What the service left out of an answer that is printed anyway: the command ends with exit code 6, and tells the first one. `at`: among
   * those so far.
   */
  partial(result, at = "last") {
    if (at === "first") this.#partial.unshift(result);
    else this.#partial.push(result);
  }
  /** People read the output in a pager, which they may leave with Ctrl-C. */
  paged() {
    this.#wasPaged = true;
  }
  get wasPaged() {
    return this.#wasPaged;
  }
  /** A dry run has found something to change: the command ends with an exit code of its own. */
  foundDifferences() {
    this.#hasDifferences = true;
  }
  get hasDifferences() {
    return this.#hasDifferences;
  }
  /** A row of the result has been printed. */
  printedRow() {
    this.#rows++;
  }
  get rows() {
    return this.#rows;
  }
  /** Takes over what a part of the command has reported to a report of its own. */
  add(part) {
    for (const warning of part.takeWarnings()) this.warn(warning);
    for (const remark of part.takeRemarks()) this.remark(remark);
    for (const result of part.takePartial()) this.partial(result);
  }
  takeWarnings() {
    return taken(this.#warnings);
  }
  takeRemarks() {
    return taken(this.#remarks);
  }
  takePartial() {
    const all = this.#partial;
    this.#partial = [];
    return all;
  }
}
function taken(texts) {
  const all = [...texts];
  texts.clear();
  return all;
}
export {
  Report
};
