import { LaggingWay } from '@smalt/bed-kubernetes';
import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { connect, DomainState, type Connection, type Domain } from '@smalt/libvirt';
import { WellKnownName, type VirtualMachineInstanceSpec } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { NODE, SyncBed, type RunningHandler } from './fixtures/sync-bed.ts';

const NAMESPACE = { namespace: 'default' };

let daemon: TestDaemon;
/** Stays open: the mock forgets its domains with its last client. */
let libvirt: Connection;
let bed: SyncBed;

beforeAll(async () => {
  daemon = await startTestDaemon();
  libvirt = await connect(daemon.uri);
  bed = await SyncBed.start({ test: { uri: daemon.uri } });
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await libvirt[Symbol.asyncDispose]();
  await daemon[Symbol.asyncDispose]();
}, 60_000);

describe('a handler whose API server lags', () => {
  it.each([
    {
      what: 'has moved on to another node',
      name: 'moved',
      change: { metadata: { labels: { [WellKnownName.nodeNameLabel]: 'node-2' } }, status: { nodeName: 'node-2' } },
    },
    {
      what: 'is on its way to another node',
      name: 'moving',
      change: { status: { migrationState: { migrationUid: 'm', sourceNode: NODE, targetNode: 'node-2' } } },
    },
  ])('does not end an instance that $what by now, because its guest is not here', async ({ name, change }) => {
    await using late = await openLate();
    await bed.place(name, { spec: small() });
    await bed.untilPhase(name, 'Running');
    await late.handlerKnows(name);
    late.stall();
    await bed.instances.patch(name, 'merge', change, NAMESPACE);

    await removeDomain(name);
    await late.looksTwice();

    const { status } = await bed.instances.get(name, NAMESPACE);
    expect(status).toMatchObject({ phase: 'Running', ...change.status });
    expect(bed.node.prepared.has(name)).toBe(true);
  });

  it('does not take the guest of an instance for a stranger because it has only seen an earlier one of its name', async () => {
    await using late = await openLate();
    const { metadata: earlier } = await bed.place('twin', { spec: small() });
    await bed.untilPhase('twin', 'Running');
    await late.handlerKnows('twin');
    const xml = await libvirt.domainGetXmlDesc({ domain: await domainOf('twin') });
    late.stall();
    await bed.letGo('twin');
    const { metadata } = await bed.place('twin', { spec: small(), status: { phase: 'Running' } });

    await removeDomain('twin');
    await libvirt.domainCreateXml({ xml: xml.replaceAll(earlier.uid ?? '', metadata.uid ?? '') });
    await late.looksTwice();

    const { state } = await libvirt.domainGetState({ domain: await domainOf('twin') });
    expect(state).toBe(DomainState.running);
  });
});

interface LateHandler extends AsyncDisposable {
  /** Resolves when the handler has seen the instance and its guest. */
  handlerKnows(name: string): Promise<void>;
  stall(): void;
  /** Resolves when it has asked the API itself twice more. */
  looksTwice(): Promise<void>;
}

/** A handler that watches by a way of its own, and does all else by another. */
async function openLate(): Promise<LateHandler> {
  await using owned = new AsyncDisposableStack();
  const config = await loadKubeConfig({ path: bed.server.kubeconfig, environment: {} });
  const way = owned.use(await LaggingWay.open(config.server));
  let reads = 0;
  const onExchange = ({ method }: { readonly method: string }): void => {
    if (method === 'GET') reads++;
  };
  const client = owned.use(new KubeClient({ config, userAgent: 'virt-handler/1', onExchange }));
  const handler: RunningHandler = owned.use(await bed.startHandler({ client, watchedAt: way.url }));
  const moved = owned.move();
  return {
    handlerKnows: async (name) => {
      await expect.poll(() => handler.sync.find('default', name)?.instance.status?.phase).toBe('Running');
    },
    stall: () => way.stall(),
    looksTwice: async () => {
      const before = reads;
      await expect.poll(() => reads - before, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

async function domainOf(name: string): Promise<Domain> {
  return await libvirt.domainLookupByName({ name: `default_${name}` });
}

/** As a migration does at its source: it is never seen to be off. */
async function removeDomain(name: string): Promise<void> {
  const domain = await domainOf(name);
  await libvirt.domainUndefine({ domain });
  await libvirt.domainDestroy({ domain });
}

function small(): VirtualMachineInstanceSpec {
  return {
    hypervisor: 'test',
    terminationGracePeriodSeconds: 5,
    domain: { memory: { guest: '16Mi' }, devices: { autoattachGraphicsDevice: false } },
  };
}
