// The type of all steps of a request. A step may change request and answer, wait, and call the next
// step any number of times.

export type Next<Request, Answer> = (request: Request) => Promise<Answer>;

/** A step may pass on another request type and return another answer type. */
export type RequestStep<Request, Answer, NextRequest = Request, NextAnswer = Answer> = (
  request: Request,
  next: Next<NextRequest, NextAnswer>,
) => Promise<Answer>;
