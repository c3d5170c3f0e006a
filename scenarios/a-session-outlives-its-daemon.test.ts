import { biosDomainXml, startHost } from '@smalt/bed-libvirt';
import { isConnectionLost, openSession } from '@smalt/libvirt';
import { expect, it } from 'vitest';

it(
  'comes back with its subscriptions after libvirtd was killed, and the guest never noticed',
  { timeout: 120_000 },
  async () => {
    await using host = await startHost();
    await using session = openSession(host.uri);
    const domain = await session.domainCreateXml({ xml: biosDomainXml({ name: 'steady' }) });
    await using events = await session.domainEvents({ kinds: ['lifecycle'] });

    host.daemon.kill('SIGSTOP');
    const caughtInTheMiddle = session.connectGetHostname().catch((error: unknown) => error);
    host.daemon.kill('SIGKILL');
    await host.daemon.exited();
    await host.daemon.restart();
    const back = await events.next();
    const found = await session.domainLookupByName({ name: 'steady' });
    await session.domainSuspend({ domain: found });
    const next = await events.next();

    expect(await caughtInTheMiddle).toSatisfy(isConnectionLost);
    expect(back.value).toMatchObject({ kind: 'resubscribed' });
    expect(found).toEqual(domain);
    expect(next.value).toMatchObject({ kind: 'lifecycle', domain });
  },
);
