import { parquetMetadata, parquetRead } from "hyparquet";
import { fileWriter, ParquetWriter } from "hyparquet-writer";
export {
  ParquetWriter,
  fileWriter,
  parquetMetadata,
  parquetRead
};
