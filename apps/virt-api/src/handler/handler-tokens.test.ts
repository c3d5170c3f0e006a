import type { KubeRequest } from '@smalt/kube';
import { beforeEach, describe, expect, it } from 'vitest';

import { HandlerTokens } from './handler-tokens.ts';

const signal = AbortSignal.timeout(60_000);
const settings = { namespace: 'smalt-system', account: 'smalt-virt-api', audience: 'virt-handler.smalt.io/{node}' };

let time: number;
let asked: KubeRequest[];
let answer: () => unknown;
let tokens: HandlerTokens;

beforeEach(() => {
  time = 0;
  asked = [];
  answer = () => ({ status: { token: `token ${asked.length}` } });
  const request = async (each: KubeRequest) => {
    asked.push(each);
    return await Promise.resolve(Object(answer()));
  };
  tokens = new HandlerTokens({ ...settings, client: { request }, clock: { now: () => time } });
});

describe('a token for a handler', () => {
  it('is of our own account, for the handler of that node alone, and soon of no use', async () => {
    expect(await tokens.get('n1', signal)).toBe('token 1');

    expect(asked.map(({ method, path }) => [method, path])).toEqual([
      ['POST', '/api/v1/namespaces/smalt-system/serviceaccounts/smalt-virt-api/token'],
    ]);
    const { spec } = Object(JSON.parse(String(asked[0]?.body)));
    expect(spec).toEqual({ audiences: ['virt-handler.smalt.io/n1'], expirationSeconds: 600 });
  });

  it('is used again, by all who ask at once too, and not for another node', async () => {
    const [first, again] = await Promise.all([tokens.get('n1', signal), tokens.get('n1', signal)]);
    const other = await tokens.get('n2', signal);

    expect([first, again, await tokens.get('n1', signal), other]).toEqual(['token 1', 'token 1', 'token 1', 'token 2']);
  });

  it('is made anew long before it ends', async () => {
    await tokens.get('n1', signal);
    time = 299_999;
    const before = await tokens.get('n1', signal);
    time = 300_000;

    expect([before, await tokens.get('n1', signal)]).toEqual(['token 1', 'token 2']);
  });

  it('that could not be made is asked for again', async () => {
    answer = () => ({ status: {} });
    await expect(tokens.get('n1', signal)).rejects.toThrow('gave no token of smalt-system/smalt-virt-api');
    answer = () => ({ status: { token: 'late' } });

    expect(await tokens.get('n1', signal)).toBe('late');
  });
});
