import { startOvnCentral, startOvsNode, type OvnCentral, type OvsNode } from '@smalt/bed-ovs';
import type { Issue, OVSNodeStatus } from '@smalt/ovs-api';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { addBridge, startOvsCluster, startWatchedNode, type WatchedNode } from './ovs-bed.ts';

const FOUND_MS = 15_000;

// A node with real devices and another chassis. Every test leaves the node as it found it.
describe('the OVS agent finds what was left behind', { timeout: 60_000 }, () => {
  const owned = new AsyncDisposableStack();
  let central: OvnCentral;
  let here: WatchedNode;
  let node: OvsNode;
  let elsewhere: OvsNode;

  beforeAll(async () => {
    const cluster = owned.use(await startOvsCluster());
    central = owned.use(await startOvnCentral());
    here = owned.use(
      await startWatchedNode(cluster, central, { name: 'hv1', datapath: 'netdev', encapIp: '10.99.0.1' }),
    );
    ({ node } = here);
    elsewhere = owned.use(await startOvsNode({ datapath: 'dummy', name: 'hv2' }));
    await elsewhere.vsctl(...addBridge('br-int'));
    await elsewhere.joinOvn(central, { encapIp: '10.99.0.2' });
    await central.nbctl('ls-add', 'ls0');
    await central.settled();
    await here.watch.until('without issues', hasNone);
  });

  afterAll(() => owned.disposeAsync());

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(here.log.slice(-20).join(''));
  });

  it('a port whose device never was', async () => {
    await node.vsctl('--no-wait', 'add-port', 'br-int', 'qvo-abc123');
    const issue = await found(/^Orphan port detected: qvo-abc123/);
    await node.vsctl('del-port', 'qvo-abc123');

    expect(issue).toMatchObject({ severity: 'Warning', detectedAt: expect.any(String) });
    await here.watch.until('without issues', hasNone);
  });

  it('a port whose device has vanished', async () => {
    await plug('tap-gone', 'vm-gone');
    await node.network?.configure('link delete tap-gone');
    const issue = await found(/tap-gone.*its device is gone/);
    await unplug('tap-gone', 'vm-gone');

    expect(issue.severity).toBe('Warning');
    await here.watch.until('without issues', hasNone);
  });

  it('a patch that leads nowhere', async () => {
    const patch = ['add-port', 'br-ex', 'nowhere', '--', 'set', 'interface', 'nowhere', 'type=patch'];
    await node.vsctl('--no-wait', ...patch, 'options:peer=nope');
    const issue = await found(/Patch port nowhere/);
    await node.vsctl('del-port', 'nowhere');

    expect(issue.message).toContain('nope');
    await here.watch.until('without issues', hasNone);
  });

  it('a port that OVN does not know, until it does', async () => {
    await node.plugGuest({ device: 'tap-ghost', logicalPort: 'ghost', mac: '52:54:00:00:00:99' });
    const issue = await found(/tap-ghost.*does not claim its iface-id ghost/);
    await central.nbctl('lsp-add', 'ls0', 'ghost');
    await here.watch.until('without issues', hasNone);
    await unplug('tap-ghost', 'ghost');

    expect(issue.severity).toBe('Warning');
    await here.watch.until('without issues', hasNone);
  });

  it('a port that is claimed by another chassis too, as after a host came back', async () => {
    await plug('tap-moved', 'vm-moved');
    // Its guest was rebuilt elsewhere while this host was thought dead.
    await central.nbctl('lsp-set-options', 'vm-moved', 'requested-chassis=hv2');
    await elsewhere.plugGuest({ device: 'tap-moved', logicalPort: 'vm-moved' });
    const issue = await found(/tap-moved.*bound to chassis hv2/);
    await elsewhere.vsctl('del-port', 'tap-moved');
    await unplug('tap-moved', 'vm-moved');

    expect(['Warning', 'Critical']).toContain(issue.severity);
    await here.watch.until('without issues', hasNone);
  });

  it('two ports that say they are the same', async () => {
    await plug('tap-one', 'vm-twice');
    await node.plugGuest({ device: 'tap-two', logicalPort: 'vm-twice' });
    const issue = await found(/tap-one, tap-two have the same iface-id vm-twice/);
    await node.vsctl('del-port', 'tap-two');
    await unplug('tap-one', 'vm-twice');

    expect(issue.severity).toBe('Critical');
    await here.watch.until('without issues', hasNone);
  });

  it('a port of the integration bridge that nobody manages', async () => {
    await node.plugGuest({ device: 'tap-stray' });
    const issue = await found(/tap-stray.*not managed by OVN/);
    await node.vsctl('del-port', 'tap-stray');

    expect(issue.severity).toBe('Info');
    await here.watch.until('without issues', hasNone);
  });

  it('flows that the southbound database does not explain', async () => {
    await node.ofctl('add-flow', 'br-int', 'cookie=0xdeadbeef,table=66,priority=7,ip,actions=drop');
    const issue = await found(/Stale flows on br-int.*0xdeadbeef/);
    await node.ofctl('del-flows', 'br-int', 'cookie=0xdeadbeef/-1');

    expect(issue.severity).toBe('Warning');
    await here.watch.until('without issues', hasNone, FOUND_MS);
  });

  it('what a dead ovn-controller did not clean up, until it is back', async () => {
    await plug('tap-late', 'vm-late');
    await here.controller.kill();
    await unplug('tap-late', 'vm-late');
    const dead = await found(/Stale flows on br-int.*ports that are not there|already are/);
    await here.controller.start();

    expect(dead.severity).toBe('Warning');
    await here.watch.until('without issues', hasNone, FOUND_MS);
  });

  async function found(words: RegExp): Promise<Issue> {
    const status = await here.watch.until(String(words), ({ issues = [] }) => issues.some(says(words)), FOUND_MS);
    return status.issues?.find(says(words)) ?? { severity: '', message: '' };
  }

  async function plug(device: string, port: string): Promise<void> {
    await central.nbctl('lsp-add', 'ls0', port);
    await node.plugGuest({ device, logicalPort: port, mac: '52:54:00:00:00:01' });
    await central.nbctl('wait-until', 'Logical_Switch_Port', port, 'up=true');
  }

  async function unplug(device: string, port: string): Promise<void> {
    await node.vsctl('del-port', device);
    await central.nbctl('lsp-del', port);
  }
});

function hasNone({ issues }: OVSNodeStatus): boolean {
  return issues?.length === 0;
}

function says(words: RegExp): (issue: Issue) => boolean {
  return ({ message }) => words.test(message);
}
