import { isJsonObject } from "./core/json-object.js";
import { mockVariant } from "./variants/variant.js";
function takeSnapshot({ store, scripts, answers, variant }) {
  return { ...store.snapshot(), scripts: scripts.list(), answers: answers.list(), variant: { ...variant.current } };
}
function restoreSnapshot(parts, value) {
  if (!isJsonObject(value)) throw new TypeError("snapshot must be an object");
  const { scripts = {}, answers = [], variant } = value;
  const putScripts = parts.scripts.prepare(scripts, "snapshot.scripts");
  const putAnswers = parts.answers.prepare(answers, "snapshot.answers");
  const nextVariant = variant === void 0 ? parts.variant.current : mockVariant(variant, "snapshot.variant");
  parts.store.restore(value);
  putScripts();
  putAnswers();
  parts.variant.set(nextVariant);
}
export {
  restoreSnapshot,
  takeSnapshot
};
