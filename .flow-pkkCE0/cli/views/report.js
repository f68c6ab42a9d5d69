import { isObject } from "../../core/json.js";
import { timestampMs } from "../../telemetry/timestamps.js";
import { cellText, valueAt } from "../output/field-path.js";
import { totalOf } from "../output/total.js";
import { timeColumn } from "./humanize.js";
const reportView = {
  columns: [
    { title: "ID", text: (report) => report.id ?? "", rank: 0 },
    { title: "TITLE", text: (report) => report.title ?? "", min: 20, rank: 1 },
    { title: "INPUTS", text: inputsText, min: 20, rank: 3 },
    { title: "DESCRIPTION", text: (report) => report.description ?? "", min: 30, rank: 2 }
  ],
  fields: ["id", "title", "description", "onlyFleetTimezone", "inputs"]
};
function inputsText({ inputs }) {
  return isObject(inputs) ? Object.keys(inputs).join(", ") : "";
}
const reportInputView = {
  columns: [
    { title: "FLAG", text: ({ flag }) => flag ?? "(only --input)", rank: 0 },
    { title: "TYPE", text: ({ type, choices }) => choices?.join(", ") ?? type, min: 12, rank: 1 },
    { title: "REQUIRED", text: ({ required }) => required ? "yes" : "no", rank: 2 },
    { title: "DEFAULT", text: (row) => cellText(row.default), min: 8, rank: 3 },
    { title: "DESCRIPTION", text: ({ description }) => description ?? "", min: 30, rank: 4 },
    { title: "INPUT", text: ({ path }) => path, rank: 5 }
  ],
  fields: ["flag", "path", "type", "required", "default", "choices", "description"]
};
function reportTable(report) {
  const found = rowsIn(report);
  if (found === null) return null;
  const { rows, others } = found;
  const described = isObject(report) ? describedIn(report.columns) : /* @__PURE__ */ new Map();
  const keys = described.size > 0 ? [...described.keys()] : [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const timeKeys = new Set(keys.filter((key) => isTimeColumn(rows, key)));
  const summed = new Map(
    keys.flatMap((key) => {
      const kind = isNumeric(rows, key) ? totalKind(key, described.get(key)?.unit ?? null) : null;
      return kind === null ? [] : [[key, kind]];
    })
  );
  const named = namesByIds(keys);
  const columns = [...keys].sort((a, b) => Number(isIdKey(a)) - Number(isIdKey(b))).map((key, index) => {
    const { title: words = key, unit = null } = described.get(key) ?? {};
    const title = (unit === null || isUnitOf(words, unit) ? words : `${words} (${unit})`).toUpperCase();
    if (timeKeys.has(key))
      return { title, shows: [key], ...timeColumn((row) => timeIn(row, key), "", "second"), rank: index };
    const isId = isIdKey(key);
    const name = named.get(key);
    const decimals = isPlace(key) ? null : decimalsOf(rows, key);
    return {
      title,
      shows: [key],
      text: (row) => numberText(valueAt(row, key), decimals),
      ...rows.some((row) => typeof row[key] === "number") ? { align: "right" } : {},
      ...summed.has(key) ? { inTotal: true } : {},
      ...name === void 0 ? {} : { namedBy: (row) => cellText(valueAt(row, name)) },
      ...isId ? {} : { min: 8 },
      // Ids are long and never shortened, so they are left out first on a narrow terminal.
      rank: isId ? keys.length + 1 : index
    };
  });
  const times = new Map([...timeKeys].map((key) => [key, (row) => timestampMs(timeIn(row, key))]));
  const units = new Map([...described].flatMap(([key, { unit }]) => unit === null ? [] : [[key, unit]]));
  const titleOf = isObject(report) && typeof report.title === "string" ? report.title : void 0;
  const view = {
    columns,
    fields: keys,
    times,
    units,
    ...titleOf === void 0 ? {} : { title: titleOf },
    ...summed.size === 0 ? {} : { total: totalOf(Object.fromEntries(summed)) },
    ...chartOf(columns, keys, summed, described)
  };
  return { rows, view, others, summed: [...summed].flatMap(([key, kind]) => kind === "sum" ? [key] : []) };
}
function chartOf(columns, keys, summed, described) {
  const [label, ...others] = keys.filter((key) => !isIdKey(key));
  const day = others.find((key) => /^(day|date|week|month)$/i.test(key));
  if (summed.size === 0 || label === void 0 || columns.length === 0) return {};
  const measures = [...summed.keys()].map((key) => {
    const { title = key, unit = null } = described.get(key) ?? {};
    const value = (row) => {
      const found = valueAt(row, key);
      return typeof found === "number" ? found : null;
    };
    return [
      key,
      { title: title.toUpperCase(), value, text: (number) => `${number}${unit === null ? "" : ` ${unit}`}` }
    ];
  });
  const first = measures.findIndex(([key]) => /distance/i.test(key));
  const [longest] = first < 0 ? [] : measures.splice(first, 1);
  return {
    chart: {
      label: (row) => [label, day].flatMap((key) => key === void 0 ? [] : cellText(valueAt(row, key)) || []).join(" "),
      measures: Object.fromEntries(longest ? [longest, ...measures] : measures)
    }
  };
}
function isIdKey(key) {
  return /id$/i.test(key);
}
function namesByIds(keys) {
  return new Map(
    keys.flatMap((key) => {
      const name = isIdKey(key) ? key.replace(/_?id$/i, "") : "";
      return name !== "" && keys.includes(name) ? [[key, name]] : [];
    })
  );
}
function isUnitOf(title, unit) {
  return title.toLowerCase().startsWith(unit.toLowerCase());
}
function isPlace(key) {
  return /(latitude|longitude)$/i.test(key);
}
function isNumeric(rows, key) {
  const values = rows.map((row) => row[key]).filter((value) => value !== null && value !== void 0 && value !== "");
  return values.length > 0 && values.every((value) => typeof value === "number");
}
const noAmount = /(id|ids|latitude|longitude|year|odometer|hours?reading|engine.?hours|consumption|average|avg|mean|median|min|minimum|speed|temperature|coolant|rpm|percent|percentage|share|ratio|rate|score|level|value|per[A-Z_].*|version|number|to_?service)$/i;
const highest = /(^|_)(top|max|highest|hottest)/i;
const amounts = /^(km|m|mi|l|gal|kg|g|t|h|min|s|kwh|wh|litres?|hours?|minutes?|seconds?)$/i;
const counts = /(^|[a-z_])(trips|stops|events|visits|count|readings|warnings|vehicles|alerts|violations)$/i;
function totalKind(key, unit) {
  if (highest.test(key)) return "max";
  if (noAmount.test(key)) return null;
  return (unit === null ? counts.test(key) || /^(distance|fuel|duration|mileage|minutes)/i.test(key) : amounts.test(unit)) ? "sum" : null;
}
function decimalsOf(rows, key) {
  let most = null;
  for (const row of rows) {
    const value = row[key];
    if (typeof value !== "number") continue;
    const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
    most = Math.min(3, Math.max(most ?? 0, decimals));
  }
  return most;
}
function numberText(value, decimals) {
  return typeof value === "number" && decimals !== null ? value.toFixed(decimals) : cellText(value);
}
function isByVehicle({ rows, view, summed }) {
  const ids = rows.map(({ vehicleId }) => vehicleId);
  if (!view.fields.includes("vehicleId") || new Set(ids).size < ids.length) return false;
  return !view.fields.some((key) => /^(day|date|start|end|timestamp|geofence|driver|country)/i.test(key)) && summed.some((key) => /^(trips|distance)/i.test(key));
}
function withAllVehicles({ rows, view, summed }, vehicles) {
  const known = new Set(rows.map(({ vehicleId }) => vehicleId));
  const names = { vehicleId: "id", vehicle: "name" };
  const filledIn = (vehicle, key) => {
    const own = names[key];
    return own === void 0 ? summed.includes(key) ? 0 : null : vehicle[own];
  };
  const missing = vehicles.filter(({ id }) => !known.has(id));
  return [
    ...rows,
    ...missing.map((vehicle) => Object.fromEntries(view.fields.map((key) => [key, filledIn(vehicle, key)])))
  ];
}
const timeForm = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;
function isTimeColumn(rows, key) {
  const values = rows.map((row) => valueAt(row, key)).filter((value) => value !== null && value !== "");
  return values.length > 0 && values.every((value) => typeof value === "string" && timeForm.test(value));
}
function timeIn(row, key) {
  const value = valueAt(row, key);
  return typeof value === "string" && value !== "" ? value : null;
}
function rowsIn(report) {
  if (Array.isArray(report)) return report.every(isObject) ? { rows: report, others: [] } : null;
  if (!isObject(report)) return null;
  const names = ["rows", ...Object.keys(report).filter((key) => key !== "columns" && key !== "rows")];
  for (const name of names) {
    const rows = report[name];
    if (!Array.isArray(rows) || !rows.every(isObject)) continue;
    return { rows, others: names.filter((other) => other !== name && isTableOrTotal(other, report[other])) };
  }
  return null;
}
function isTableOrTotal(name, value) {
  if (Array.isArray(value)) return value.length > 0;
  return /total|sum/i.test(name) && (isObject(value) || typeof value === "number");
}
function describedIn(columns) {
  const all = /* @__PURE__ */ new Map();
  for (const column of Array.isArray(columns) ? columns : []) {
    if (!isObject(column) || typeof column.key !== "string") return /* @__PURE__ */ new Map();
    const title = typeof column.title === "string" ? column.title : column.key;
    all.set(column.key, { title, unit: typeof column.unit === "string" ? column.unit : null });
  }
  return all;
}
export {
  isByVehicle,
  reportInputView,
  reportTable,
  reportView,
  withAllVehicles
};
