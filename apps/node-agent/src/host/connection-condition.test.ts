import { LibvirtError } from '@smalt/libvirt';
import { expect, it } from 'vitest';

import { connectionCondition, type ConnectionFacts } from './connection-condition.ts';

const error = new LibvirtError('connect-failed', 'nobody listens');
const waiting = { kind: 'waiting', attempt: 1, delayMs: 100, error } as const;
const connected = { kind: 'connected', attempt: 1, connectedAt: new Date(0) } as const;

it.each<{ facts: Partial<ConnectionFacts>; says: readonly [string, string, string] | undefined }>([
  { facts: { session: { kind: 'connecting', attempt: 1 } }, says: undefined },
  { facts: { session: connected }, says: ['True', 'Connected', ''] },
  { facts: { session: connected, service: 'not-running' }, says: ['True', 'Connected', ''] },
  { facts: { session: connected, failures: ['a', 'b'] }, says: ['False', 'ProcessFailed', 'a; b'] },
  { facts: { session: waiting }, says: ['False', 'ConnectFailed', 'unable to connect to libvirtd: nobody listens'] },
  {
    facts: { session: waiting, service: 'running' },
    says: ['False', 'ConnectFailed', 'unable to connect to libvirtd: nobody listens'],
  },
  {
    facts: { session: waiting, service: 'not-running' },
    says: ['False', 'LibVirtServiceNotRunning', 'libvirtd service is not running'],
  },
  {
    facts: { session: { kind: 'closed', error } },
    says: ['False', 'ConnectFailed', 'unable to connect to libvirtd: nobody listens'],
  },
])('$facts.session.kind with a service that is $facts.service says $says', ({ facts, says }) => {
  const condition = connectionCondition({ session: connected, service: undefined, failures: [], ...facts });

  expect(condition && [condition.status, condition.reason, condition.message]).toEqual(says);
});
