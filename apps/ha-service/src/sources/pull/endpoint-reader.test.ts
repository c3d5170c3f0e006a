import { describe, expect, it } from 'vitest';

import { EndpointReader } from './endpoint-reader.ts';
import { defaultPullEndpoint, type PullEndpoint, type PullRule } from './pull-settings.ts';

const TIMES = { askedAt: 99_000, cameAt: 100_000, endpointNow: 1_700_000_000_000 };

describe('EndpointReader', () => {
  it('takes the newest sign of life of a host with several volumes, and a sign of life before a word of death', () => {
    const reader = new EndpointReader(endpoint({ rules: [idle, up] }));

    const samples = reader.samples(
      text(
        'idle{client="n1",volume="a"} 50\nidle{client="n1",volume="b"} 20\nidle{client="n2",volume="a"} 70',
        'up{client="n1"} 0\nup{client="n1"} 1\nup{client="n2"} 0',
      ),
      TIMES,
    );

    expect(samples).toEqual([
      { host: 'n1', source: 'storage', kind: 'alive', at: 80_000 },
      { host: 'n2', source: 'storage', kind: 'alive', at: 30_000 },
      { host: 'n1', source: 'libvirt', kind: 'alive', at: 100_000 },
      { host: 'n2', source: 'libvirt', kind: 'dead', at: 99_000 },
    ]);
  });

  it('reads an answer of the query API of Prometheus, and ages what is old', () => {
    const rule = { ...idle, value: 'value.1', time: 'value.0', host: { from: 'metric.client' } };
    const reader = new EndpointReader(endpoint({ format: 'json', items: 'data.result', rules: [rule] }));
    const result = [
      { metric: { client: 'n1' }, value: [1_700_000_000, '7'] },
      { metric: { client: 'n2' }, value: [1_699_999_970, '7'] },
      { metric: { client: 'n3' }, value: ['never', '7'] },
    ];

    const samples = reader.samples(text(JSON.stringify({ status: 'success', data: { result } })), TIMES);

    expect(samples).toMatchObject([
      { host: 'n1', at: 93_000 },
      { host: 'n2', at: 63_000 },
    ]);
  });

  it('reads times of ISO 8601, and what is true', () => {
    const rules: readonly PullRule[] = [
      { ...idle, value: 'lastWrite', meaning: { kind: 'moment' } },
      { ...up, value: 'ok' },
    ];
    const reader = new EndpointReader(endpoint({ format: 'json', rules }));

    const samples = reader.samples(text('[{"client":"n1","lastWrite":"2023-11-14T22:13:10Z","ok":true}]'), TIMES);

    expect(samples).toMatchObject([
      { source: 'storage', kind: 'alive', at: 90_000 },
      { source: 'libvirt', kind: 'alive', at: 100_000 },
    ]);
  });

  it.each([
    { format: 'prometheus', content: '', error: 'nothing for the rule of storage by idle' },
    { format: 'prometheus', content: '<html>', error: 'nothing for the rule of storage by idle' },
    { format: 'json', content: '[]', error: 'nothing for the rule of storage by idle' },
    { format: 'json', content: '{"a":1}', error: 'there is no list at the top' },
    { format: 'json', content: '{', error: 'it is no JSON' },
  ] as const)('says of $content that $error', ({ format, content, error }) => {
    const reader = new EndpointReader(endpoint({ format, rules: [idle] }));

    expect(() => reader.samples(text(content), TIMES)).toThrow(error);
  });
});

const idle: PullRule = {
  source: 'storage',
  value: 'idle',
  where: {},
  host: { from: 'client' },
  meaning: { kind: 'age' },
};
const up: PullRule = {
  ...idle,
  source: 'libvirt',
  value: 'up',
  meaning: { kind: 'compare', operator: '==', than: 1, otherwise: 'dead' },
};

function endpoint(change: Partial<PullEndpoint>): PullEndpoint {
  return { ...defaultPullEndpoint, name: 'storage', url: 'https://x', format: 'prometheus', rules: [], ...change };
}

function text(...parts: readonly string[]) {
  return { text: parts.join('\n'), contentType: 'text/plain' };
}
