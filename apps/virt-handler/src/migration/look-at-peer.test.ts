import { randomUUID } from 'node:crypto';

import { startHost, startNetwork, type BedHost } from '@smalt/bed-libvirt';
import { systemClock } from '@smalt/controller-runtime';
import { connect, openSession, type Connection, type LibvirtSession } from '@smalt/libvirt';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { lookAtPeer } from './look-at-peer.ts';
import { openPeer } from './open-peer.ts';
import { sendGuest } from './send-guest.ts';

describe('the peer of a migration', { timeout: 60_000 }, () => {
  const owned = new AsyncDisposableStack();
  const instance = anInstance();
  let other: BedHost;
  let here: LibvirtSession;
  let there: Connection;
  let ownUri: string;

  beforeAll(async () => {
    const network = owned.use(await startNetwork());
    const own = owned.use(await startHost({ network, name: 'hv1' }));
    other = owned.use(await startHost({ network, name: 'hv2' }));
    ownUri = `qemu+tcp://${own.address}/system`;
    here = owned.use(openSession(own.uri));
    await here.connected();
    there = owned.use(await connect(other.uri));
    await here.domainDefineXmlFlags({ xml: domainXml(instance) });
  }, 60_000);

  afterAll(() => owned.disposeAsync());

  it('is asked what it has of the guest', async () => {
    const peerUri = `qemu+tcp://${other.address}/system`;

    const without = await lookAtPeer({ peerUri, session: here }, instance, AbortSignal.timeout(10_000));
    await there.domainDefineXmlFlags({ xml: domainXml(instance) });
    const after = await lookAtPeer({ peerUri, session: here }, instance, AbortSignal.timeout(10_000));

    expect([without, after]).toEqual([{ whereabouts: 'absent', uptimeMs: expect.any(Number) }, { whereabouts: 'off' }]);
  });

  it('is not believed when its address leads back to the source', async () => {
    const view = await lookAtPeer({ peerUri: ownUri, session: here }, instance, AbortSignal.timeout(10_000));

    expect(view).toEqual({ whereabouts: 'unreachable', problem: expect.stringContaining('migration.address') });
  });

  it('gets no guest when its address leads back to the source', async () => {
    const domain = await here.domainLookupByName({ name: 'default_guest' });
    const patience = { intervalMs: 500, count: 3 };
    const request = {
      source: here,
      domain,
      openPeer: (signal: AbortSignal) => openPeer({ peerUri: ownUri, session: here, patience }, signal),
      plan: { flags: 0, parameters: {} },
      clock: systemClock,
      ignore: () => undefined,
    };

    const result = await sendGuest(request, AbortSignal.timeout(10_000));

    expect(result).toMatchObject({ kind: 'failed', error: { code: 'unsafe-node' }, askedToRunAt: undefined });
  });
});

function anInstance(): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'guest', namespace: 'default', uid: randomUUID() },
    spec: { hypervisor: 'qemu', domain: { devices: {} } },
  };
}

function domainXml({ metadata }: VirtualMachineInstance): string {
  return `<domain type='qemu'><name>default_guest</name><uuid>${metadata.uid}</uuid><memory unit='MiB'>32</memory>
    <os><type arch='x86_64' machine='pc'>hvm</type></os></domain>`;
}
