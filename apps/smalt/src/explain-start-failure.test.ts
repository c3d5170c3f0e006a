import { expect, it } from 'vitest';

import { explainStartFailure } from './explain-start-failure.ts';

const settings = { dataDirectory: '/data', listen: { host: '::1', port: 80 } };

it.each([
  { code: 'EADDRINUSE', text: '[::1]:80 is in use by another program: give another address or port with --listen' },
  { code: 'EADDRNOTAVAIL', text: '[::1]:80 is no address of this machine: give one that is with --listen' },
  { code: 'locked', text: 'another server runs on /data: stop it, or give another directory with --data' },
  { code: 'newer', text: 'its own words' },
  { code: 'EACCES', text: '/data cannot be used by this user: its own words' },
  { code: 'ENOTDIR', text: '/data cannot be used: its own words' },
  {
    code: 'EACCES',
    syscall: 'listen',
    text: '[::1]:80 may not be listened on by this user: give another port with --listen',
  },
])('says of $code: $text', ({ code, syscall, text }) => {
  const cause = Object.assign(new Error('its own words'), { code, syscall });

  expect(explainStartFailure(cause, settings)).toMatchObject({ name: 'SmaltError', message: text, cause });
});

it('passes on what it does not know', () => {
  const bug = new TypeError('x is not a function');

  expect(explainStartFailure(bug, settings)).toBe(bug);
});
