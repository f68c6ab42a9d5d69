// A receiver of events over real HTTP, with answers set by the test.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Posted {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (response: ServerResponse, posted: Posted) => void;

export const answers = {
  status:
    (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
    (response) =>
      response.writeHead(status, headers).end(),
  reset: ((response) => response.destroy()) satisfies Answer,
};

export class WebhookReceiver {
  readonly posted: Posted[] = [];
  /** Answers to the next requests; later requests get `always`. */
  readonly next: Answer[] = [];
  always: Answer = answers.status(204);
  #server = createServer();
  #port = 0;

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await receiver.open();
    onTestFinished(() => receiver.close());
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/fleet?token=hidden`;
  }

  /** Listens on the same port as before. */
  async open(): Promise<void> {
    this.#server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      request.on('end', () => {
        const posted = { headers: request.headers, body };
        this.posted.push(posted);
        (this.next.shift() ?? this.always)(response, posted);
      });
    });
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
