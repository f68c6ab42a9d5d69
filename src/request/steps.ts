// How the steps of a request are put together. Each step gets a request and the next step; it may change the request, wait, call the next
// step once, several times or not at all, and change the answer.

export type Next<Request, Answer> = (request: Request) => Promise<Answer>;

/** A step may hand on another request than it got, and give another answer. */
export type Step<Request, Answer, NextRequest = Request, NextAnswer = Answer> = (
  request: Request,
  next: Next<NextRequest, NextAnswer>,
) => Promise<Answer>;

/** Steps in their order, whose last one still needs a next. */
class Steps<Request, Answer, LastRequest, LastAnswer> {
  readonly #endWith: (last: Next<LastRequest, LastAnswer>) => Next<Request, Answer>;

  constructor(endWith: (last: Next<LastRequest, LastAnswer>) => Next<Request, Answer>) {
    this.#endWith = endWith;
  }

  next<NextRequest, NextAnswer>(
    step: Step<LastRequest, LastAnswer, NextRequest, NextAnswer>,
  ): Steps<Request, Answer, NextRequest, NextAnswer> {
    return new Steps((next) => this.#endWith((request) => step(request, next)));
  }

  /** The last step has no next one. */
  last(last: Next<LastRequest, LastAnswer>): Next<Request, Answer> {
    return this.#endWith(last);
  }
}

/** Begins a list of steps. */
export function first<Request, Answer, NextRequest, NextAnswer>(
  step: Step<Request, Answer, NextRequest, NextAnswer>,
): Steps<Request, Answer, NextRequest, NextAnswer> {
  return new Steps<Request, Answer, Request, Answer>((last) => last).next(step);
}
