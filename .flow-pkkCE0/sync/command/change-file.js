import { appendFileSync } from "node:fs";
import { refusedFile } from "fleet-telematics/kit/command";
function changeFile(path) {
  const append = (text) => {
    try {
      appendFileSync(path, text, { mode: 384 });
    } catch (error) {
      throw refusedFile("file of --changes", "written", error);
    }
  };
  append("");
  return ({ changedAt, type, table, id, ...rest }) => append(`${JSON.stringify({ changedAt, type, table, id, ...rest })}
`);
}
export {
  changeFile
};
