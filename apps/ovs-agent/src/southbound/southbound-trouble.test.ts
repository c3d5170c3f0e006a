import { OvsError } from '@smalt/ovs';
import { expect, it } from 'vitest';

import { whoseTrouble } from './southbound-trouble.ts';

it.each([
  { what: 'one that is connected and silent', state: 'silent', cause: undefined, whose: 'server' },
  { what: 'one that took us and did not answer', state: 'disconnected', cause: failure('timeout'), whose: 'server' },
  { what: 'one that hung up', state: 'disconnected', cause: failure('closed'), whose: 'server' },
  { what: 'one that refuses', state: 'disconnected', cause: failure('unreachable', 'ECONNREFUSED'), whose: 'server' },
  { what: 'a socket that is not there', state: 'disconnected', cause: failure('unreachable', 'ENOENT'), whose: 'ours' },
  { what: 'a socket not for us', state: 'disconnected', cause: failure('unreachable', 'EACCES'), whose: 'ours' },
  {
    what: 'a bad certificate',
    state: 'disconnected',
    cause: failure('unreachable', 'CERT_HAS_EXPIRED'),
    whose: 'ours',
  },
  { what: 'the beginning', state: 'disconnected', cause: undefined, whose: 'ours' },
] as const)('says of $what that it is trouble of: $whose', ({ state, cause, whose }) => {
  expect(whoseTrouble(state, cause)).toBe(whose);
});

function failure(code: 'timeout' | 'closed' | 'unreachable', system?: string): OvsError {
  return new OvsError(code, 'it failed', { cause: system && Object.assign(new Error(system), { code: system }) });
}
