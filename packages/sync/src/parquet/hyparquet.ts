// What we use of the two libraries that read and write Parquet. The build puts it into one file, so that programs install neither.
export { parquetMetadata, parquetRead } from 'hyparquet';
export { fileWriter, ParquetWriter } from 'hyparquet-writer';
