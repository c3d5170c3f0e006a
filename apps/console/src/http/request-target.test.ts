import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isConsoleError } from '../console-error.ts';
import { readTarget } from './request-target.ts';

describe('readTarget', () => {
  it.each([
    ['/', { path: '/', search: '' }],
    ['/api/v1/pods?watch=true&a=%2F..', { path: '/api/v1/pods', search: '?watch=true&a=%2F..' }],
    ['/machines/default/demo/', { path: '/machines/default/demo/', search: '' }],
    ['/a%20b', { path: '/a%20b', search: '' }],
    ['/a...b/..c', { path: '/a...b/..c', search: '' }],
  ])('takes %s as it is', (url, target) => {
    expect(readTarget(url)).toEqual(target);
  });

  it.each([
    undefined,
    '',
    '*',
    'api/v1',
    'http://a/b',
    '//a/b',
    '/a//b',
    '/a/../b',
    '/a/.',
    '/..',
    '/a%2Fb',
    '/a%5cb',
    '/%2E%2e/a',
    '/a%252fb',
    '/a%00',
    String.raw`/a\b`,
    '/a#b',
    '/a?b#c',
    '/a\u00e9',
    '/a b',
    `/${'a'.repeat(9_000)}`,
  ])('refuses %s', (url) => {
    expect(() => readTarget(url)).toThrow(expect.objectContaining({ code: 'bad-request', field: 'path' }));
  });

  it('lets nothing through that a URL would read differently', () => {
    assert(
      property(string({ unit: 'binary-ascii', maxLength: 30 }), (text) => {
        const path = readOrNothing(`/${text}`)?.path ?? '/';

        expect(new URL(`http://host${path}`).pathname).toBe(path);
      }),
      { numRuns: 500 },
    );
  });
});

function readOrNothing(url: string): ReturnType<typeof readTarget> | undefined {
  try {
    return readTarget(url);
  } catch (error) {
    if (isConsoleError(error, 'bad-request')) return undefined;
    throw error;
  }
}
