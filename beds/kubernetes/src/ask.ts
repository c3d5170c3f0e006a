import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';

export interface Access {
  readonly token: string;
  readonly authority: Buffer;
}

/** Makes one request and gives the answer. */
export async function ask(url: string, access?: Access): Promise<{ readonly status: number; readonly body: string }> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const headers = access === undefined ? {} : { authorization: `Bearer ${access.token}` };
  return await new Promise((resolve, reject) => {
    const sent = send(
      url,
      { headers, ...(access && { ca: access.authority }), agent: false, timeout: 10_000 },
      (answer) => {
        text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
      },
    );
    sent.once('timeout', () => sent.destroy(new Error(`${url} did not answer`)));
    sent.once('error', reject);
    sent.end();
  });
}
