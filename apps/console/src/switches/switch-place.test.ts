import { expect, it } from 'vitest';

import { readSwitchPlace } from './switch-place.ts';

const URL_KEY = 'smalt.dev/troubleshooting-url';
const AUTHORITY_KEY = 'smalt.dev/troubleshooting-ca';

it('is what the annotations of the OVSNode say', () => {
  const node = { metadata: { annotations: { [URL_KEY]: 'https://127.0.0.1:9443', [AUTHORITY_KEY]: 'PEM' } } };

  expect(readSwitchPlace(node, 'n1')).toEqual({ url: 'https://127.0.0.1:9443', authority: 'PEM' });
});

it('may be a host on this machine, where that is known', () => {
  const node = { metadata: { annotations: { [URL_KEY]: 'https://198.18.7.1:9443' } } };

  expect(readSwitchPlace(node, 'n1', ['198.18.7.1'])).toEqual({ url: 'https://198.18.7.1:9443', authority: undefined });
  expect(() => readSwitchPlace(node, 'n1', ['198.18.7.10'])).toThrow(/another machine/);
});

it.each([
  [{}, 'not-found', /n1 tells no address .* --troubleshoot-listen/],
  [{ [URL_KEY]: '' }, 'not-found', /n1 tells no address/],
  [{ [URL_KEY]: 'http://10.0.0.1' }, 'unavailable', /no plain https address/],
  [{ [URL_KEY]: 'https://me@10.0.0.1' }, 'unavailable', /no plain https address/],
  [{ [URL_KEY]: 'https://10.0.0.1/?a=' }, 'unavailable', /no plain https address/],
  [{ [URL_KEY]: 'https://10.0.0.1/else' }, 'unavailable', /no plain https address/],
  [{ [URL_KEY]: 'nonsense' }, 'unavailable', /no plain https address/],
  [{ [URL_KEY]: 'https://10.0.0.1:9443' }, 'forbidden', /another machine, which is shown no token/],
  [{ [URL_KEY]: 'https://127.0.0.1.evil.example' }, 'forbidden', /another machine/],
  [{ [URL_KEY]: 'https://localhost:9443' }, 'forbidden', /another machine/],
])('of annotations %o is refused as %s', (annotations, code, message) => {
  const read = (): unknown => readSwitchPlace({ metadata: { annotations } }, 'n1');

  expect(read).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
});
