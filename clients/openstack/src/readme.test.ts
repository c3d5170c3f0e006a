import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import type { OpenStackErrorCode } from './openstack-error.ts';

/** Every code, or the compiler complains. */
const codes: Readonly<Record<OpenStackErrorCode, true>> = {
  aborted: true,
  'bad-answer': true,
  'bad-argument': true,
  'bad-config': true,
  'bad-request': true,
  'concurrent-update': true,
  conflict: true,
  connection: true,
  forbidden: true,
  'in-use': true,
  microversion: true,
  'no-endpoint': true,
  'not-found': true,
  quota: true,
  server: true,
  timeout: true,
  'too-large': true,
  'too-many-requests': true,
  unauthorized: true,
  unavailable: true,
};

it('lists every error code', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

  const listed = [...readme.matchAll(/^\| `([a-z-]+)` \| [a-zK]/gm)].map((match) => match[1]);

  expect(listed).toEqual(Object.keys(codes));
});
