import { KubeError, type KubeErrorCode } from '@smalt/kube';
import { expect, it } from 'vitest';

import { describeApiFailure, isRefusal } from './api-failure.ts';

it.each<{ code: KubeErrorCode; isAway: boolean; refused: boolean; says: string }>([
  { code: 'connection', isAway: true, refused: false, says: 'https://api cannot be reached: why. See that it runs' },
  { code: 'timeout', isAway: true, refused: false, says: 'https://api cannot be reached: why' },
  { code: 'aborted', isAway: true, refused: false, says: 'https://api cannot be reached: why' },
  { code: 'server', isAway: true, refused: false, says: 'https://api does not work: why' },
  { code: 'too-many-requests', isAway: true, refused: false, says: 'https://api does not work: why' },
  { code: 'unauthorized', isAway: true, refused: false, says: 'Renew the token' },
  { code: 'forbidden', isAway: false, refused: true, says: "GET /x: why. Give the agent's account the right" },
  { code: 'not-found', isAway: false, refused: true, says: 'Install the definitions of the fleet' },
  { code: 'invalid', isAway: false, refused: true, says: 'GET /x: why. The server may be of another version' },
])('takes $code for what it is', ({ code, isAway, refused, says }) => {
  const error = new KubeError(code, 'GET /x: why', { cause: new Error('why') });

  expect(describeApiFailure(error, 'https://api')).toMatchObject({ isAway, text: expect.stringContaining(says) });
  expect(isRefusal(error)).toBe(refused);
});

it('gives requests that fail alike one key, and those that are refused one each', () => {
  expect(keyOf('connection', '/a')).toBe(keyOf('connection', '/b'));
  expect(keyOf('connection', '/a')).not.toBe(keyOf('timeout', '/a'));
  expect(keyOf('forbidden', '/a')).not.toBe(keyOf('forbidden', '/b'));
});

function keyOf(code: KubeErrorCode, path: string): string {
  return describeApiFailure(new KubeError(code, `GET ${path}: why`, { cause: new Error('why') }), 'https://api').key;
}
