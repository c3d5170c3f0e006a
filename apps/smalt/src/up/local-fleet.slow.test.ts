import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  kubectl,
  namedWithin,
  processesWithin,
  runSmalt,
  startSmalt,
  type RunningSmalt,
} from './fixtures/running-smalt.ts';

const WAIT_MS = 240_000;
const POLL = { timeout: WAIT_MS, interval: 500 };

// The demo lives through all of it in this order; nothing can be tried again.
describe('smalt up --hosts 3', { timeout: 300_000, retry: 0 }, () => {
  let directory: string;
  let smalt: RunningSmalt;
  let kubeconfig: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'smalt-fleet-'));
    // Guests are not root, and have to get through.
    await chmod(directory, 0o711);
    smalt = startSmalt(['up', '--data', directory, '--hosts', '3']);
    kubeconfig = (await smalt.line(/export KUBECONFIG=(\S+)/))[1] ?? '';
  }, WAIT_MS);

  afterAll(async () => {
    await smalt.kill();
    await runSmalt(['down', '--data', directory, '--purge', '--yes']);
    await rm(directory, { recursive: true, force: true });
  }, WAIT_MS);

  it('has three hosts that the operator has taken into use, and a machine that runs on one of them', async () => {
    for (const name of ['hv1', 'hv2', 'hv3']) {
      await kubectl(kubeconfig, ['wait', `hypervisor/${name}`, '--for=condition=Ready', '--timeout=120s']);
    }
    await expect.poll(demo, POLL).toMatch(/^hv\d Running /);

    const { text } = await runSmalt(['host', 'list', '--data', directory]);
    expect(text.match(/^hv\d +198\.1[89]\.\d+\.\d +on +up /gm)).toHaveLength(3);
    expect(namedWithin(directory, 'libvirtd')).toHaveLength(3);
    expect(smalt.text()).toMatch(/^hv\d {2}\S+ {2}default_demo {2}lifecycle started [(]booted[)]$/m);
  });

  it('has an Open vSwitch in each host, which its agent reports on', async () => {
    for (const name of ['hv1', 'hv2', 'hv3']) {
      const wish = [`ovsnode/${name}`, '--namespace=ovn-system', '--for=condition=Ready', '--timeout=120s'];
      await kubectl(kubeconfig, ['wait', ...wish]);
    }

    const bridges = ['get', 'ovsnodes', '-n', 'ovn-system', '-o', 'jsonpath={.items[*].status.bridges[*].name}'];
    expect(await kubectl(kubeconfig, bridges)).toBe('br-int br-int br-int');
    expect(namedWithin(directory, 'ovs-vswitchd').length).toBeGreaterThanOrEqual(3);
  });

  it('moves the machine to another host while it runs', async () => {
    const [from, , uid] = (await demo()).split(' ');
    const migration = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstanceMigration',
      metadata: { name: 'away' },
      spec: { vmiName: 'demo' },
    };

    await kubectl(kubeconfig, ['create', '-f', '-'], migration);
    const wish = ['vmim/away', '--for=jsonpath={.status.phase}=Succeeded', `--timeout=${WAIT_MS / 1000}s`];
    await kubectl(kubeconfig, ['wait', ...wish]);

    const [to, phase, same] = (await demo()).split(' ');
    expect({ isElsewhere: to !== from, phase, same }).toEqual({ isElsewhere: true, phase: 'Running', same: uid });
    expect(namedWithin(directory, 'qemu-system')).toHaveLength(1);
  });

  it('starts the machine elsewhere when its host fails, once that is proved to be off', async () => {
    const [lost = '', , uid] = (await demo()).split(' ');
    // Who was never heard cannot be missed: a Lease tells of life when it is renewed.
    for (let renewals = 0; renewals < 2; renewals++) {
      const last = await renewal(lost);
      await expect.poll(() => renewal(lost), POLL).not.toBe(last);
    }
    await kubectl(kubeconfig, ['wait', `hypervisor/${lost}`, '--for=condition=HaEnabled', '--timeout=120s']);

    const cut = await runSmalt(['host', 'cut', lost, '--data', directory]);
    await expect.poll(demo, POLL).not.toContain(uid ?? '');
    await expect.poll(demo, POLL).toMatch(/^hv\d Running /);

    const { text } = await runSmalt(['host', 'list', '--data', directory]);
    expect(cut).toMatchObject({ code: 0 });
    expect((await demo()).split(' ')[0]).not.toBe(lost);
    // The HA service has switched it off by its controller: it was alive, and nobody could tell.
    expect(text).toMatch(new RegExp(String.raw`^${lost} +\S+ +off `, 'm'));
    expect(namedWithin(directory, 'qemu-system')).toHaveLength(1);
  });

  it('is found again after a kill of it, with its hosts and guests', async () => {
    const found = async (): Promise<readonly string[]> => [
      await demo(),
      ...namedWithin(directory, 'qemu-system'),
      ...namedWithin(directory, 'libvirtd'),
    ];
    const before = await found();

    await smalt.kill();
    smalt = startSmalt(['up', '--data', directory, '--no-console']);
    await smalt.line(/^Smalt is ready/m);

    // A libvirtd that asks QEMU what it can do has a child of the same name for a moment.
    await expect.poll(found, POLL).toEqual(before);
  });

  it('leaves a host that was switched off alone until it is switched on', async () => {
    const [, lost = ''] =
      /^(hv\d) +\S+ +off /m.exec((await runSmalt(['host', 'list', '--data', directory])).text) ?? [];

    const on = await runSmalt(['host', 'power-on', lost, '--data', directory]);
    const wrong = await runSmalt(['host', 'power-on', 'hv9', '--data', directory]);

    expect(on).toEqual({ code: 0, text: `${lost}: power-on is done\n` });
    expect(wrong.text).toBe('there is no host "hv9": there are hv1, hv2, hv3\n');
    await expect.poll(() => namedWithin(directory, 'libvirtd').length, POLL).toBe(3);
  });

  it('leaves nothing behind when it is purged', async () => {
    const purged = await runSmalt(['down', '--data', directory, '--purge', '--yes']);

    expect(purged).toMatchObject({ code: 0 });
    expect(await smalt.closed).toBe(0);
    expect(processesWithin(directory)).toEqual([]);
  });

  async function renewal(node: string): Promise<string> {
    const words = ['get', 'lease', node, '--namespace=kube-node-lease', '-o', 'jsonpath={.spec.renewTime}'];
    return await kubectl(kubeconfig, words);
  }

  /** Where the demo is, how it does, and which instance it is. */
  async function demo(): Promise<string> {
    const fields = '{.status.nodeName} {.status.phase} {.metadata.uid}';
    return await kubectl(kubeconfig, ['get', 'vmi', 'demo', '--ignore-not-found', '-o', `jsonpath=${fields}`]);
  }
});
