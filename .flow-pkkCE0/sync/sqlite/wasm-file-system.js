import fs from "node:fs";
function withFileSystem(work) {
  const { accessSync, openSync, mkdirSync, writeSync, fsyncSync } = fs;
  let last;
  const remember = (call) => (...args) => {
    try {
      return call(...args);
    } catch (error) {
      last = error;
      throw error;
    }
  };
  const access = (path, mode) => {
    if (path.endsWith(".lock")) throw new Error("nobody else is writing");
    accessSync(path, mode);
  };
  const writeWhole = (file, bytes, from, length, position) => {
    let written = 0;
    while (written < length) written += writeSync(file, bytes, from + written, length - written, position + written);
    return written;
  };
  Object.assign(fs, {
    accessSync: access,
    openSync: remember(openSync),
    mkdirSync: remember(mkdirSync),
    writeSync: remember(writeWhole),
    fsyncSync: remember(fsyncSync)
  });
  try {
    return work();
  } catch (error) {
    const isOfSystem = error instanceof Error && /disk I\/O error|unable to open/i.test(error.message);
    throw isOfSystem && last !== void 0 ? new Error(error.message, { cause: last }) : error;
  } finally {
    Object.assign(fs, { accessSync, openSync, mkdirSync, writeSync, fsyncSync });
  }
}
export {
  withFileSystem
};
