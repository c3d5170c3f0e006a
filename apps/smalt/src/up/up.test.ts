import { symlinkSync } from 'node:fs';
import { access, chmod, mkdtemp, mkdtempDisposable, rm, writeFile } from 'node:fs/promises';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';

import { keepAuditLog } from '@smalt/bed-kubernetes';
import { biosDomainXml, lendCapabilities } from '@smalt/bed-libvirt';
import { startOvsNode } from '@smalt/bed-ovs';
import { connect } from '@smalt/libvirt';
import { canRunOpenStack } from '@smalt/local-openstack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  kubectl,
  namedWithin,
  processesWithin,
  runSmalt,
  startSmalt,
  type RunningSmalt,
} from './fixtures/running-smalt.ts';

/** Nothing to boot, and nothing of the machine's network: its firmware waits. */
const MACHINE = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'tiny' },
  spec: {
    runStrategy: 'Always',
    template: {
      spec: {
        hypervisor: 'qemu',
        terminationGracePeriodSeconds: 0,
        domain: {
          memory: { guest: '64Mi' },
          devices: { disks: [{ name: 'scratch', disk: { bus: 'virtio' } }], autoattachPodInterface: false },
        },
        volumes: [{ name: 'scratch', emptyDisk: { capacity: '16Mi' } }],
      },
    },
  },
};
const RUNNING = ['vm/tiny', '--for=jsonpath={.status.printableStatus}=Running', '--timeout=40s'];

// One start serves all that can share it, in this order; nothing can be tried again.
describe('smalt up', { timeout: 120_000, retry: 0 }, () => {
  // Blanks and signs that a shell would take for its own.
  let directory: string;
  let smalt: RunningSmalt;
  let kubeconfig: string;
  let uri: string;
  let before: readonly unknown[];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'smalt up & #1 '));
    // Guests are not root, and have to get through.
    await chmod(directory, 0o711);
    await writeFile(join(directory, 'smalt.json'), '{"kind":"SmaltData","version":1,"hosts":0}');
    await lendCapabilities(join(directory, 'libvirt'));
    smalt = startUp();
    kubeconfig = (await smalt.line(/export KUBECONFIG='(.+)'/))[1] ?? '';
    uri = (await smalt.line(/watching the events of the domains of (\S+)/))[1] ?? '';
  }, 120_000);

  afterAll(async () => {
    await smalt.kill();
    await runSmalt(['down', '--data', directory, '--purge', '--yes']);
    await rm(directory, { recursive: true, force: true });
  }, 120_000);

  it('ticks off what it started, then says where it is and what to try', async () => {
    await smalt.line(/^hypervisor +QEMU \d+\.\d+\.\d+$/m);

    expect(smalt.text()).toMatch(/^✔ API server +https:\/\/127\.0\.0\.1:\d+, \d+ kinds \(\d+\.\d s\)$/m);
    expect(smalt.text()).toMatch(/^Smalt is ready after \d+\.\d s$/m);
    expect(smalt.text()).toMatch(/^ {2}kubectl get hypervisors,vms -A$/m);
    expect(smalt.text()).not.toMatch(/✘|cannot be reached/);
  });

  it('brings a libvirtd that died back, and tells what happens to domains without being asked to', async () => {
    process.kill(Number(namedWithin(directory, 'libvirtd')[0]), 'SIGKILL');
    await smalt.line(/libvirtd died; starting it again in 0\.25 s/);
    await smalt.line(/libvirtd is back after \d+ ms/);

    await using connection = await connect(uri);
    const domain = await connection.domainCreateXml({ xml: biosDomainXml({ name: 'stray' }) });

    expect(await smalt.line(/stray {2}lifecycle started \(booted\)/)).toBeDefined();
    expect(domain.name).toBe('stray');
  });

  it('shows this machine, which the operator has taken into use, and its guests to kubectl', async () => {
    const name = (await kubectl(kubeconfig, ['get', 'nodes', '-o', 'name'])).trim().replace('node/', '');

    await kubectl(kubeconfig, ['wait', `hypervisor/${name}`, '--for=condition=Ready', '--timeout=30s']);
    const wish = [`hypervisor/${name}`, '--for=jsonpath={.status.numInstances}=1', '--timeout=20s'];
    await kubectl(kubeconfig, ['wait', ...wish]);
    const listed = await kubectl(kubeconfig, ['get', 'hypervisors']);
    await using connection = await connect(uri);
    await connection.domainDestroy({ domain: await connection.domainLookupByName({ name: 'stray' }) });

    expect(listed).toMatch(new RegExp(String.raw`^${name} +${name} +True +Ready .* 1 +.*${release()} +\d+s$`, 'm'));
    expect(await conditionsOf(name)).toMatchObject({ HaAgent: 'True', LibVirtConnection: 'True', HaEnabled: 'False' });
  });

  it('says nothing of an Open vSwitch where there is none, and shows the one that comes', async () => {
    await using node = await startOvsNode({ datapath: 'dummy' });
    await node.vsctl('add-br', 'br-int');
    const textBefore = smalt.text();

    symlinkSync(node.runDirectory, join(directory, 'openvswitch'));
    const name = (await smalt.line(/reporting its Open vSwitch as the OVSNode ovn-system\/(\S+)/))[1] ?? '';
    const place = [`ovsnode/${name}`, '--timeout=20s', '--namespace=ovn-system'];
    await kubectl(kubeconfig, ['wait', '--for=create', ...place]);
    await kubectl(kubeconfig, ['wait', '--for=condition=AllBridgesHealthy', ...place]);
    const listed = await kubectl(kubeconfig, ['get', 'ovsnodes', '--all-namespaces']);

    expect(textBefore).not.toMatch(/reporting its Open vSwitch/);
    expect(listed).toMatch(new RegExp(String.raw`^ovn-system +${name} +\w+ +3\.1\.0 +false`, 'm'));
  });

  it('signs in by a link that is good once, and gives another to smalt open', async () => {
    const link = (await smalt.line(/^ {2}console +(http:\S+)$/m))[1] ?? '';
    const opened = await runSmalt(['open', '--data', directory]);

    const answers = [await enter(link), await enter(link), await enter(opened.text.trim())];

    expect(answers.map(({ status, cookie }) => [status, cookie !== ''])).toEqual([
      [303, true],
      [expect.toSatisfy((status: number) => status !== 303), false],
      [303, true],
    ]);
    expect(await sessionOf(link, answers[0]?.cookie ?? '')).toMatchObject({
      user: { name: 'system:serviceaccount:smalt-system:smalt-console-admin' },
      hasHighAvailability: true,
    });
  });

  it('refuses a second one on its data directory, by its process', async () => {
    const second = await runSmalt(['up', '--data', directory]);

    expect(second).toEqual({
      code: 1,
      text: `smalt up runs on ${directory} already, as process ${smalt.pid}: stop it with smalt down, or give another directory with --data\n`,
    });
  });

  it('runs virtual machines, which outlive a kill of it, and are found again', async () => {
    await kubectl(kubeconfig, ['apply', '-f', '-'], MACHINE);
    await kubectl(kubeconfig, ['wait', ...RUNNING]);
    before = [await guestUid(), namedWithin(directory, 'qemu-system')];

    await smalt.kill();
    const between = namedWithin(directory, 'qemu-system');
    smalt = startUp();
    await smalt.line(/^Smalt is ready/m);
    await kubectl(kubeconfig, ['wait', ...RUNNING]);

    expect(between).toHaveLength(1);
    expect([await guestUid(), namedWithin(directory, 'qemu-system')]).toEqual(before);
  });

  it('leaves nothing running on Ctrl-C, and brings machines back by their run strategy, silently if told so', async () => {
    smalt.pressCtrlC();
    const code = await smalt.closed;
    const left = processesWithin(directory);
    const text = smalt.text();
    smalt = startUp('--no-events');
    await smalt.line(/^Smalt is ready/m);
    await expect.poll(guestUid, { timeout: 30_000 }).not.toBe(before[0]);
    await kubectl(kubeconfig, ['wait', ...RUNNING]);

    expect({ code, left }).toEqual({ code: 0, left: [] });
    expect(text).toMatch(/\nstopping\nwaiting up to 0 s for 1 guest to .*\nstopped\n$/);
    expect(namedWithin(directory, 'qemu-system')).toHaveLength(1);
    expect(smalt.text()).not.toMatch(/watching the events|lifecycle started/);
  });

  it('is stopped and removed with all that it made by smalt down --purge, which asks first', async () => {
    await keepAuditLog(join(directory, 'apiserver'));
    const asked = await runSmalt(['down', '--data', directory, '--purge']);
    const isStillThere = namedWithin(directory, 'libvirtd').length;
    const purged = await runSmalt(['down', '--data', directory, '--purge', '--yes']);

    expect(asked).toMatchObject({ code: 2, text: expect.stringContaining('Nobody can be asked here: give --yes') });
    expect(isStillThere).toBe(1);
    expect(await smalt.closed).toBe(0);
    expect(purged).toMatchObject({ code: 0, text: expect.stringContaining(`process ${smalt.pid}, has stopped`) });
    expect(processesWithin(directory)).toEqual([]);
    // The test itself put the way to its switch there.
    await expect(access(join(directory, 'apiserver'))).rejects.toThrow('ENOENT');
  });

  function startUp(...more: readonly string[]): RunningSmalt {
    const flags = ['--no-demo', '--ovs', join(directory, 'openvswitch'), ...more];
    return startSmalt(['up', '--data', directory, ...flags]);
  }

  async function guestUid(): Promise<string> {
    return await kubectl(kubeconfig, ['get', 'vmi', 'tiny', '-o', 'jsonpath={.metadata.uid}']);
  }

  async function conditionsOf(name: string): Promise<Readonly<Record<string, unknown>>> {
    const text = await kubectl(kubeconfig, ['get', 'hypervisor', name, '-o', 'jsonpath={.status.conditions}']);
    const list: { readonly type: string; readonly status: string }[] = JSON.parse(text);
    return Object.fromEntries(list.map(({ type, status }) => [type, status]));
  }
});

it.each([
  { args: ['up', '--api-port', '0'], code: 2, says: 'A port is a number from 1 to 65535.' },
  { args: ['up', '--console-port', 'seventy'], code: 2, says: 'A port is a number from 1 to 65535.' },
  { args: ['up', '--hosts', '10'], code: 2, says: 'Give a number from 1 to 9.' },
  { args: ['up', '--state', '/proc/version'], code: 1, says: '/proc/version cannot be used: EEXIST' },
  { args: ['up', '--data', '/usr'], code: 1, says: '/usr holds files of others (bin, ' },
  { args: ['down', '--data', '/usr', '--purge', '--yes'], code: 2, says: '/usr is no data directory of Smalt' },
  { args: ['open', '--data', '/usr'], code: 1, says: 'no smalt up answers at /usr/control.sock: start it' },
  { args: ['fly'], code: 2, says: "unknown command 'fly'" },
])('refuses $args and says why', async ({ args, code, says }) => {
  expect(await runSmalt(args)).toEqual({ code, text: expect.stringContaining(says) });
});

it('refuses an OpenStack without hosts, or where its packages are not, and says what to do', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
  const isHere = await canRunOpenStack();

  const refused = await runSmalt(['up', '--openstack', '--data', place.path]);

  const says = isHere ? 'give --hosts 2 as well' : ': leave it out on this machine';
  expect(refused).toEqual({ code: isHere ? 2 : 1, text: expect.stringContaining(says) });
  expect((await runSmalt(['up', '--help'])).text).toContain('--openstack ');
});

async function enter(link: string): Promise<{ readonly status: number; readonly cookie: string }> {
  const { status, headers } = await fetch(link, { redirect: 'manual' });
  return { status, cookie: headers.get('set-cookie')?.split(';')[0] ?? '' };
}

async function sessionOf(link: string, cookie: string): Promise<unknown> {
  return await (await fetch(new URL('/session', link), { headers: { cookie } })).json();
}
