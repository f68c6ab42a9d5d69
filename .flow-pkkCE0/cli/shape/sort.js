import { valueAt } from "../output/field-path.js";
import { compareForSort } from "./compare.js";
import { splitNames } from "./fields.js";
function parseSort(text) {
  return splitNames(text, "--sort").map((name) => {
    const descending = name.startsWith("-") || name.endsWith(":desc");
    return { path: name.replace(/^[-+]/, "").replace(/:(asc|desc)$/, ""), descending };
  });
}
function sorted(rows, keys, readValue = valueAt) {
  return [...rows].sort((a, b) => {
    for (const { path, descending } of keys) {
      const order = compareForSort(readValue(a, path), readValue(b, path), descending);
      if (order !== 0) return order;
    }
    return 0;
  });
}
export {
  parseSort,
  sorted
};
