import { readFile } from 'node:fs/promises';

import { Agent, request } from 'undici';

import { HaServiceError } from '../../ha-service-error.ts';
import { authoritiesWith } from '../../identity/authorities-with.ts';
import type { PulledText } from './endpoint-reader.ts';
import type { PullEndpoint } from './pull-settings.ts';

export interface EndpointAnswer extends PulledText {
  /** What its clock says, in milliseconds since 1970; undefined where it does not tell. */
  readonly endpointNow: number | undefined;
}

const ACCEPT: Readonly<Record<PullEndpoint['format'], string>> = {
  prometheus: 'text/plain;version=0.0.4',
  json: 'application/json',
};

/** Asks once, over a connection of its own and with what the files hold now. Anything but 200 is an error. */
export async function askEndpoint(endpoint: PullEndpoint, signal: AbortSignal): Promise<EndpointAnswer> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(endpoint.timeoutMs)]);
  const dispatcher = new Agent({ connect: await tlsOf(endpoint), connections: 1, pipelining: 1 });
  try {
    const headers = {
      accept: ACCEPT[endpoint.format],
      'user-agent': 'smalt-ha-service',
      ...(await accountOf(endpoint)),
    };
    const answer = await request(endpoint.url, { dispatcher, headers, signal: until });
    if (answer.statusCode !== 200) throw new HaServiceError('unavailable', `it answered ${answer.statusCode}`);
    const text = await readLimited(answer.body, endpoint.mostBytes);
    const date = Date.parse(String(answer.headers['date'] ?? ''));
    const contentType = String(answer.headers['content-type'] ?? '');
    return { text, contentType, endpointNow: Number.isNaN(date) ? undefined : date };
  } finally {
    await dispatcher.destroy();
  }
}

interface TlsFiles {
  readonly timeout: number;
  readonly ca?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
}

async function tlsOf({ authorityFile, certificateFile, keyFile, timeoutMs }: PullEndpoint): Promise<TlsFiles> {
  const [authority, cert, key] = await Promise.all(
    [authorityFile, certificateFile, keyFile].map((path) => textOf(path)),
  );
  return {
    timeout: timeoutMs,
    ...(authority !== undefined && { ca: authoritiesWith(authority) }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
}

async function accountOf({ tokenFile, user, passwordFile }: PullEndpoint): Promise<Readonly<Record<string, string>>> {
  const [token, password] = await Promise.all([tokenFile, passwordFile].map((path) => textOf(path)));
  if (token !== undefined) return { authorization: `Bearer ${token.trim()}` };
  if (user === undefined || password === undefined) return {};
  const account = Buffer.from(`${user}:${password.replace(/\r?\n$/, '')}`).toString('base64');
  return { authorization: `Basic ${account}` };
}

async function textOf(path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : await readFile(path, 'utf8');
}

async function readLimited(body: AsyncIterable<Buffer>, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > mostBytes) throw new HaServiceError('unavailable', `its answer has more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
