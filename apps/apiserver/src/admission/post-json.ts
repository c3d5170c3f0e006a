import { request as send, type RequestOptions } from 'node:https';

/** Where and how a document is posted. */
export interface PostTarget {
  readonly url: URL;
  /** The address to connect to, when it is another than that of the URL. */
  readonly connect?: { readonly host: string; readonly port: number };
  /** In PEM form; the authorities of the machine when undefined. */
  readonly ca?: string | undefined;
  readonly signal: AbortSignal;
}

export interface PostAnswer {
  readonly code: number;
  readonly body: string;
}

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Posts JSON over HTTPS and reads the answer to its end. */
export function postJson(target: PostTarget, body: string): Promise<PostAnswer> {
  const { url, connect, ca, signal } = target;
  const options: RequestOptions = {
    method: 'POST',
    host: connect?.host ?? unbracketed(url.hostname),
    port: connect?.port ?? (url.port === '' ? 443 : Number(url.port)),
    path: `${url.pathname}${url.search}`,
    servername: /^[\d.:[\]a-f]*$/.test(url.hostname) && !/[g-z]/.test(url.hostname) ? '' : url.hostname,
    headers: {
      host: url.host,
      'content-type': 'application/json',
      accept: 'application/json, */*',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'kube-apiserver-admission',
    },
    ...(ca === undefined ? {} : { ca }),
    signal,
  };
  return new Promise((resolve, reject) => {
    const request = send(options, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        chunks.push(chunk);
        if (length > MAX_ANSWER_BYTES) request.destroy(new Error('the answer is too long'));
      });
      response.on('end', () =>
        resolve({ code: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

function unbracketed(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}
