import { expect, it } from 'vitest';

import { FakeDaemon, type FakeCall } from '../fake-daemon/fake-daemon.ts';
import { procedures } from '../generated/procedures.gen.ts';
import { messageType } from '../rpc/message.ts';
import { openSession } from './open-session.ts';

const volume = { pool: 'default', name: 'disk', key: '/disk' };

it('ends its events though the daemon takes no more bytes, not even a goodbye', async () => {
  await using daemon = await FakeDaemon.listen(answer);
  const session = openSession(daemon.uri, { maxWaitingBytes: 1000 });
  const events = await session.domainEvents({ kinds: ['lifecycle'] });
  const stream = await session.storageVolUpload({ volume });
  daemon.sockets[0]?.pause();
  const writing = stream.write(Buffer.alloc(32_000_000)).catch((error: unknown) => error);
  const waiting = events.next();

  await session.close();

  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(await writing).toMatchObject({ code: 'closed' });
  expect(session.state).toEqual({ kind: 'closed' });
});

it.each([-1, Number.NaN])('ends when it is closed within %d ms, and says that this is no time', async (timeoutMs) => {
  await using daemon = await FakeDaemon.listen(answer);
  const session = openSession(daemon.uri);
  const events = await session.domainEvents({ kinds: ['lifecycle'] });
  const waiting = events.next();

  const closing = session.close({ timeoutMs });

  await expect(closing).rejects.toMatchObject({ code: 'invalid-arg', message: expect.stringContaining('timeoutMs') });
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(session.state).toEqual({ kind: 'closed' });
  await session.close();
});

function answer(call: FakeCall): void {
  if (call.header.type !== messageType.call) return;
  const isRegistration = call.header.procedure === procedures.connectDomainEventCallbackRegisterAny.number;
  call.reply(isRegistration ? { payload: (writer) => writer.int32(7) } : {});
}
