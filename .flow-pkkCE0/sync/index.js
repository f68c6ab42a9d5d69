import { SyncTargetError } from "fleet-telematics/kit";
import { diffRecords } from "./compare-records.js";
import { targetConformance } from "./conformance.js";
import { targetSchema } from "./ddl.js";
import { parquetTarget } from "./parquet/parquet-target.js";
import { syncParts } from "./parts.js";
import { postgresTarget } from "./postgres/postgres-target.js";
import { sqliteTarget } from "./sqlite/sqlite-target.js";
import { previewSync, syncFleet } from "./sync.js";
import { ownTables, syncTables } from "./tables.js";
export {
  SyncTargetError,
  diffRecords,
  ownTables,
  parquetTarget,
  postgresTarget,
  previewSync,
  sqliteTarget,
  syncFleet,
  syncParts,
  syncTables,
  targetConformance,
  targetSchema
};
