import { request } from 'node:http';
import { text } from 'node:stream/consumers';

import { LocalOpenStackError } from './local-openstack-error.ts';

export interface NovaOrder {
  /** The compute it is about. */
  readonly host: string;
  readonly verb: 'start' | 'stop' | 'crash' | 'cut' | 'expire' | 'knobs' | 'guests';
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Asks the process that runs all of Nova to do something with one of its computes. */
export async function askNova(socketPath: string, { host, verb, body, signal }: NovaOrder): Promise<unknown> {
  const sent = request({
    socketPath,
    path: `/${encodeURIComponent(host)}/${verb}`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    agent: false,
    ...(signal && { signal }),
  });
  const answer = await new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response) => {
      text(response).then((words) => resolve({ status: response.statusCode ?? 0, text: words }), reject);
    });
    sent.end(JSON.stringify(body ?? {}));
  }).catch((cause: unknown) => {
    const why = signal?.aborted === true ? 'was given up' : 'was not done, because Nova does not run';
    throw new LocalOpenStackError('control-failed', `The ${verb} of ${host} ${why}`, { cause });
  });
  if (answer.status === 200) return JSON.parse(answer.text);
  throw new LocalOpenStackError('control-failed', `${verb} of ${host} failed: ${answer.text}`);
}
