// Signs what is posted, so that the receiver knows who sent it and when: docs/alerts.md shows how to check it.
import { createHmac } from 'node:crypto';

/** `t=1772443800,v1=5257a8…`: HMAC-SHA256 of `<t>.<body>`, in hex. `time` is in seconds. */
export function webhookSignature(secret: string, time: number, body: string): string {
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}
