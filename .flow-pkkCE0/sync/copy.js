import { openCopy } from "./copy/open-copy.js";
export {
  openCopy
};
