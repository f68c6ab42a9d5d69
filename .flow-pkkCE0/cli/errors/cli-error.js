class CliError extends Error {
  name = "CliError";
  code;
  /** What is wrong: the message without the sentence about what was not done. */
  problem;
  /** What to do next. */
  hint;
  choices;
  operation;
  /** The service's own messages. */
  details;
  /** What went wrong, where what was asked for is told already. */
  reason;
  /** Of code HTTP: the status of the answer. */
  httpStatus;
  constructor(code, problem, more = {}) {
    super(
      more.undone === void 0 ? problem : `${problem} Nothing was ${more.undone}.`,
      more.cause === void 0 ? void 0 : { cause: more.cause }
    );
    this.code = code;
    this.problem = problem;
    this.hint = more.hint;
    this.choices = more.choices;
    this.operation = more.operation;
    this.details = more.details ?? [];
    this.reason = more.reason ?? [this.message, ...this.details].join(" ");
    this.httpStatus = more.httpStatus;
  }
}
function refusal(problem, more = {}) {
  return new CliError("USAGE", problem, { undone: "sent", ...more });
}
export {
  CliError,
  refusal
};
