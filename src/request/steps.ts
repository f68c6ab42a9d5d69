// The form of all steps of a request. Each step gets a request and the next step; it may change the request, wait, call the next step once,
// several times or not at all, and change the answer.

export type Next<Request, Answer> = (request: Request) => Promise<Answer>;

/** A step may hand on another request than it got, and give another answer. */
export type RequestStep<Request, Answer, NextRequest = Request, NextAnswer = Answer> = (
  request: Request,
  next: Next<NextRequest, NextAnswer>,
) => Promise<Answer>;
