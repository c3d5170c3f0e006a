import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';

const TIMEOUT_MS = 10_000;

/** Whom to trust, and what to show to be trusted. */
export interface Access {
  readonly authority: Buffer;
  readonly token?: string | undefined;
  readonly certificate?: Buffer | undefined;
  readonly key?: Buffer | undefined;
}

/** Makes one request, a POST where there is something to send and nothing else is asked for, and gives the answer. */
export async function ask(
  url: string,
  access?: Access,
  sentBody?: string,
  method: string = sentBody === undefined ? 'GET' : 'POST',
): Promise<{ readonly status: number; readonly body: string }> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  return await new Promise((resolve, reject) => {
    const options = { ...requestOptions(access, sentBody !== undefined), method };
    const sent = send(url, options, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
    });
    sent.once('timeout', () => sent.destroy(new Error(`${url} did not answer`)));
    sent.once('error', reject);
    sent.end(sentBody);
  });
}

/** Whether a server says that it is well; one that does not answer is not. */
export async function isOk(url: string, access?: Access): Promise<boolean> {
  try {
    return (await ask(url, access)).status === 200;
  } catch {
    return false;
  }
}

function requestOptions(access: Access | undefined, hasBody: boolean): RequestOptions & { readonly ca?: Buffer } {
  const token = access?.token;
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(hasBody && { 'content-type': 'application/json' }),
  };
  const trust = access && {
    ca: access.authority,
    ...(access.certificate && { cert: access.certificate }),
    ...(access.key && { key: access.key }),
  };
  return { headers, ...trust, agent: false, timeout: TIMEOUT_MS };
}
