import { biosDomainXml, startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { startOvnCentral, type OvnCentral } from '@smalt/bed-ovs';
import { connect, type Connection } from '@smalt/libvirt';
import type { Issue, OVSNodeStatus } from '@smalt/ovs-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { impatience, startOvsCluster, startWatchedNode, type WatchedNode } from './ovs-bed.ts';

const FOUND_MS = 15_000;
const DEVICE = 'tap-guest';

// A node whose libvirt is asked for its guests. The port is there all the time; the guest comes and goes.
describe('the OVS agent knows whose port it is', { timeout: 60_000 }, () => {
  const owned = new AsyncDisposableStack();
  let libvirt: TestDaemon;
  let connection: Connection;
  let here: WatchedNode;

  beforeAll(async () => {
    const cluster = owned.use(await startOvsCluster());
    const central: OvnCentral = owned.use(await startOvnCentral());
    libvirt = owned.use(await startTestDaemon());
    connection = owned.use(await connect(libvirt.uri));
    const agent = () => ({ ...impatience, libvirtUri: libvirt.uri });
    here = owned.use(
      await startWatchedNode(cluster, central, { name: 'hv1', datapath: 'netdev', encapIp: '10.99.0.1', agent }),
    );
    await central.nbctl('ls-add', 'ls0');
    await central.nbctl('lsp-add', 'ls0', 'vm1');
    await define();
    await here.node.plugGuest({ device: DEVICE, logicalPort: 'vm1', mac: '52:54:00:00:00:01' });
    await central.nbctl('wait-until', 'Logical_Switch_Port', 'vm1', 'up=true');
    await here.watch.until('without issues', hasNone);
  });

  afterAll(() => owned.disposeAsync());

  it('calls a port an orphan when its guest is gone, and takes it back when the guest is there again', async () => {
    await undefine();
    const gone = await here.watch.until('an orphan', ({ issues = [] }) => issues.some(isOrphan), FOUND_MS);
    await define();
    await here.watch.until('without issues', hasNone, FOUND_MS);

    expect(gone.issues?.find(isOrphan)).toMatchObject({ severity: 'Warning', detectedAt: expect.any(String) });
  });

  it('accuses no port while libvirt does not answer', async () => {
    libvirt.kill('SIGKILL');
    await libvirt.exited();
    await here.node.plugGuest({ device: 'tap-unknown', logicalPort: 'vm2', mac: '52:54:00:00:00:02' });
    // Another rule, with the same patience, that has begun to look later.
    await here.node.vsctl('--no-wait', 'add-port', 'br-int', 'qvo-never');
    const status = await here.watch.until('another orphan', ({ issues = [] }) => issues.some(isNever), FOUND_MS);

    expect(status.issues?.filter(({ message }) => message.includes('no guest of this host has it'))).toEqual([]);
  });

  async function define(): Promise<void> {
    const device = `<interface type='bridge'><source bridge='br-int'/><target dev='${DEVICE}'/></interface>`;
    const xml = biosDomainXml({ name: 'guest' }).replace('</devices>', `${device}</devices>`);
    await connection.domainDefineXml({ xml: xml.replace(/type=(["'])[a-z]+\1/, "type='test'") });
  }

  async function undefine(): Promise<void> {
    await connection.domainUndefine({ domain: await connection.domainLookupByName({ name: 'guest' }) });
  }
});

function hasNone({ issues }: OVSNodeStatus): boolean {
  return issues?.length === 0;
}

function isOrphan({ message }: Issue): boolean {
  return message.startsWith(`Orphan port detected: ${DEVICE} (no guest of this host has it)`);
}

function isNever({ message }: Issue): boolean {
  return message.startsWith('Orphan port detected: qvo-never');
}
