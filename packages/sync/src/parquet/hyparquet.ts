// The used exports of two Parquet libraries, which the build bundles: programs install neither.
export { parquetMetadata, parquetRead } from 'hyparquet';
export { fileWriter, ParquetWriter } from 'hyparquet-writer';
