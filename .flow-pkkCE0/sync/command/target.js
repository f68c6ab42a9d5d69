import { CliError } from "fleet-telematics/kit/command";
import { isParquetCopy } from "../parquet/layout.js";
function isPostgres(text) {
  return /^postgres(ql)?(:|\/\/)/i.test(text);
}
const formats = ["sqlite", "parquet"];
function targetFormatOf(text, format) {
  if (isPostgres(text)) {
    if (format === void 0) return "postgres";
    throw new CliError("USAGE", "The target is a PostgreSQL database, and --format is for files.", {
      undone: "read",
      hint: "Leave out --format, or name a path."
    });
  }
  if (/^[a-z][a-z\d+.:-]+:\/\//i.test(text)) {
    throw new CliError("USAGE", "The target is an address of neither PostgreSQL nor a file.", {
      undone: "read",
      hint: "Give a path such as fleet.db, or an address such as postgres://user@host/database."
    });
  }
  if (text === ":memory:") {
    throw new CliError("USAGE", '":memory:" is a database of SQLite that ends with the command.', {
      undone: "read",
      hint: "Name a file, such as fleet.db; one of that name is ./:memory:."
    });
  }
  if (format !== void 0) return format;
  if (isParquetCopy(text)) return "parquet";
  if (!/[/\\]$/.test(text)) return "sqlite";
  throw new CliError("USAGE", `"${text}" ends as a folder does, and a copy in SQLite is a file.`, {
    undone: "read",
    hint: "For a folder of Parquet files add --format parquet. For SQLite name a file, such as fleet.db."
  });
}
function targetOf(sdk, text, format, options) {
  if (format === "postgres") return postgres(sdk, text, options);
  if (options.grants !== void 0) {
    throw new CliError("USAGE", "--grants is for roles of PostgreSQL, and the target is a file or a folder.", {
      undone: "read",
      hint: "For files set their group and mode, for example `chgrp reports fleet.db; chmod 640 fleet.db`."
    });
  }
  return format === "parquet" ? sdk.parquetTarget(text) : sdk.sqliteTarget(text, options);
}
function postgres(sdk, text, options) {
  try {
    return sdk.postgresTarget(text, options);
  } catch (error) {
    return rethrowWith(sdk)(error);
  }
}
const codes = {
  INVALID: "CONFIGURATION",
  REFUSED: "CONFIGURATION",
  NEWER: "CONFIGURATION",
  OTHER_ORIGIN: "CONFIGURATION",
  UNREACHABLE: "NETWORK",
  IN_USE: "IN_USE",
  FULL: "SYNC_TARGET",
  FAILED: "SYNC_TARGET"
};
const hints = {
  OTHER_ORIGIN: "Name another target, or select the user and the service of the copy. If the change is meant, add --adopt."
};
function rethrowWith({ SyncTargetError }) {
  return (error) => {
    if (!(error instanceof SyncTargetError)) throw error;
    throw new CliError(codes[error.reason], error.message, { hint: hints[error.reason] ?? error.hint, cause: error });
  };
}
function isInUse(error) {
  return error instanceof CliError && error.code === "IN_USE";
}
export {
  formats,
  isInUse,
  rethrowWith,
  targetFormatOf,
  targetOf
};
