import { Writable } from "node:stream";
import { writeOutput } from "../context/write-output.js";
import { refusal } from "../errors/cli-error.js";
function jqOutput(given, jq, isEndless) {
  if (isEndless) {
    throw refusal("--jq reads a complete result, and this command has no end.", {
      hint: "Pipe -o ndjson into jq instead: fleet \u2026 --watch -o ndjson | jq --unbuffered \u2026"
    });
  }
  const texts = [];
  const stdout = new Writable({
    decodeStrings: false,
    write(text, _encoding, done) {
      texts.push(text);
      done();
    }
  });
  const io = Object.create(given.io, { stdout: { value: stdout, enumerable: true } });
  return {
    context: { ...given, io },
    async print() {
      const json = texts.splice(0).join("");
      if (json === "") return;
      const { text, failure } = await jq.apply(json);
      await writeOutput(given, [text]);
      if (failure) throw failure;
    }
  };
}
export {
  jqOutput
};
