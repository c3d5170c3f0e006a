import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { openImageStore } from '@smalt/image-store';
import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { beginToCount, countOnConsole } from './virtual-machines/count-on-disk.ts';
import { nodeRemains } from './virtual-machines/node-remains.ts';
import type { VmHost } from './virtual-machines/vm-host.ts';
import { startVmWorld, type VmWorld } from './virtual-machines/vm-world.ts';

const PLACE = { namespace: 'default' };
/** For a second handler of the node: the first one listens on the usual one. */
const SECOND_PORT = 8187;
const POLL = { timeout: 60_000, interval: 200 };

let world: VmWorld;

beforeAll(async () => {
  const signal = AbortSignal.timeout(240_000);
  world = await startVmWorld({ hosts: 1, featureGates: ['HostDisk'], signal });
}, 240_000);

afterAll(() => world[Symbol.asyncDispose](), 60_000);

// All on one node, in this order: a machine that is mended runs on to the end.
describe('a virtual machine', { timeout: 120_000, retry: 0 }, () => {
  it('waits for an image that is missing, says which, and starts when it is there', async () => {
    await create('imageless', disk({ containerDisk: { image: 'absent:1' } }));
    const waiting = await world.untilMachine('imageless', ({ status }) => /Image/.test(status?.printableStatus ?? ''));
    const pods = await world.kubectl(['get', 'pods', '-o', 'json']);
    await openImageStore(join(host().directory, 'images')).importFile(join(world.directory, 'demo.img'), 'absent:1');
    await world.untilInstance('imageless', isRunning);

    expect(waiting.status?.printableStatus).toMatch(/^(ErrImagePull|ImagePullBackOff)$/);
    expect(pods).toContain('smalt image import FILE absent:1');
    await remove('imageless');
  });

  it('does not get the MAC address of another one, is told so, and starts when that is gone', async () => {
    await create('first', card('02:00:00:00:aa:01'));
    await world.untilInstance('first', isRunning);

    await create('second', card('02:00:00:00:aa:01'));
    const refused = await world.untilInstance('second', (each) => troubleOf(each) !== undefined);
    await remove('first');
    await world.untilInstance('second', isRunning);

    expect(troubleOf(refused)).toMatch(
      /has the MAC address 02:00:00:00:aa:01, which .*first.* uses .* another macAddress/,
    );
    await remove('second');
  });

  it('says that there is no room for its disk, and starts when there is', async () => {
    const place = join(host().ownDirectory, 'small');
    await mkdir(join(host().directory, 'small'), { mode: 0o711 });
    await host().machine.exec(['mount', '-t', 'tmpfs', '-o', 'size=4m,mode=0711', 'small', place]);
    await create(
      'roomy',
      disk({ hostDisk: { path: join(place, 'roomy.img'), type: 'DiskOrCreate', capacity: '16Mi' } }),
    );
    const refused = await world.untilInstance('roomy', (each) => troubleOf(each) !== undefined);

    await host().machine.exec(['mount', '-o', 'remount,size=64m', place]);
    await world.untilInstance('roomy', isRunning);

    expect(troubleOf(refused)).toMatch(/small has 4194304 bytes left and the disk needs 16777216; make room there/);
    await remove('roomy');
  });

  it('stands still when the disk below its own is full, says so, and counts on when there is room and it is told to', async () => {
    const place = join(host().ownDirectory, 'small');
    await create('writer', counting(join(place, 'writer.img')));
    await world.untilInstance('writer', isRunning);
    await beginToCount('writer', '/dev/vdc', world.control.server.kubeconfig);

    const filler = join(place, 'filler');
    await host()
      .machine.exec(['dd', 'if=/dev/zero', `of=${filler}`, 'bs=4k'])
      .catch(() => undefined);
    const stopped = await world.untilInstance('writer', (each) => isTrue(each, 'Paused'));
    await host().machine.exec(['rm', filler]);
    await act('writer', 'unpause');
    await world.untilInstance('writer', (each) => !isTrue(each, 'Paused'));

    const paused = stopped.status?.conditions?.find(({ type }) => type === 'Paused');
    expect(paused).toMatchObject({ reason: 'PausedIOError' });
    expect(await countOnConsole('writer', world.control.server.kubeconfig)).toBeGreaterThan(3);
    await remove('writer');
  });

  it.each(['../../../../etc/cron.d/x', 'web; reboot', '$(reboot)', 'a\nb', '-rf', 'x'.repeat(300)])(
    'of the name %j is refused, and the field is named',
    async (name) => {
      await expect(world.machines.create(machine(name, {}), PLACE)).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('metadata.name'),
      });
    },
  );

  it('takes its cloud-init data for data: nothing of it reaches a shell or the files of others', async () => {
    const trace = join(host().ownDirectory, 'owned');
    const command = `touch ${trace}`;
    const userData = `#cloud-config\nruncmd: ["$(${command})", "\`${command}\`"]\n'; ${command}; '"\n%s%n\u0000../../../../${trace}`;
    const networkData = `$(${command})\n]]><evil/>`;
    const before = await nodeRemains(host());
    await create('hostile', disk({ cloudInitNoCloud: { userData, networkData } }));
    await world.untilInstance('hostile', isRunning);

    await expect(access(trace.replace(host().ownDirectory, host().directory))).rejects.toThrow('ENOENT');
    await remove('hostile');
    await expect.poll(() => nodeRemains(host()), POLL).toEqual(before);
  });

  it('is started again when its process is killed, if it is to run always', async () => {
    await create('lasting');
    await create('single', {}, 'Once');
    const [lasting, single] = await Promise.all(
      ['lasting', 'single'].map((name) => world.untilInstance(name, isRunning)),
    );

    for (const name of ['lasting', 'single'])
      await host().machine.exec(['pkill', '-9', '-f', `guest=default_${name},`]);
    const again = await world.untilInstance('lasting', (each) => isAnother(each, lasting) && isRunning(each));
    const ended = await world.untilInstance('single', ({ status }) => status?.phase === 'Failed');

    expect(again.status?.nodeName).toBe('hv1');
    expect(ended.metadata.uid).toBe(single?.metadata.uid);
    expect(await domains()).toEqual(['default_lasting']);
    await remove('single');
  });

  it('runs on while libvirt is killed and comes back', async () => {
    const before = await world.instances.get('lasting', PLACE);
    const process = await guestProcess('lasting');

    host().machine.daemon.kill('SIGKILL');
    await host().machine.daemon.exited();
    await host().machine.daemon.restart();
    await act('lasting', 'pause');
    await world.untilInstance('lasting', (each) => isTrue(each, 'Paused'));
    await act('lasting', 'unpause');
    const after = await world.untilInstance('lasting', (each) => !isTrue(each, 'Paused'));

    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(await guestProcess('lasting')).toBe(process);
  });

  it('is left alone by a second handler of its node, which takes over when the first is killed', async () => {
    const before = await world.instances.get('lasting', PLACE);
    const process = await guestProcess('lasting');
    const first = host().handler;
    await host().startHandler(SECOND_PORT);
    await expect.poll(() => host().handler?.log(), POLL).toContain('another handler');
    await act('lasting', 'pause');
    await world.untilInstance('lasting', (each) => isTrue(each, 'Paused'));

    await first?.kill();
    await act('lasting', 'unpause');
    const after = await world.untilInstance('lasting', (each) => !isTrue(each, 'Paused'));

    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(await guestProcess('lasting')).toBe(process);
  });

  it('begins anew when its node was rebooted, and nothing of before is left', async () => {
    const before = await world.instances.get('lasting', PLACE);

    await host().crash();
    await host().powerOn();
    const after = await world.untilInstance('lasting', (each) => isAnother(each, before) && isRunning(each), 90_000);

    const old = before.metadata.uid ?? '';
    await expect.poll(async () => (await nodeRemains(host())).join('\n'), POLL).not.toContain(old);
    expect(after.status?.nodeName).toBe('hv1');
    expect(await domains()).toEqual(['default_lasting']);
    expect((await guestProcess('lasting')).split('\n')).toHaveLength(1);
    const events = await world.kubectl(['get', 'events', '-o', 'json']);
    expect(events).toContain('The node hv1 was booted anew, and the guest went with it.');
  });

  it('leaves nothing behind, whatever it has lived through', async () => {
    await remove('lasting');

    await expect.poll(() => nodeRemains(host()), POLL).toEqual([]);
  });
});

function host(): VmHost {
  const [only] = world.hosts;
  if (only === undefined) throw new Error('there is one');
  return only;
}

async function create(name: string, spec: Spec = {}, runStrategy = 'Always'): Promise<void> {
  await world.machines.create(machine(name, spec, runStrategy), PLACE);
}

async function remove(name: string): Promise<void> {
  await world.kubectl(['delete', 'vm', name, '--wait=true', '--timeout=60s']);
}

/** Tries again while the handler that is asked is on its way. */
async function act(name: string, subresource: string): Promise<void> {
  const path = `/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/${name}/${subresource}`;
  await expect.poll(() => world.control.admin.text({ method: 'PUT', path, body: '{}' }), POLL).toBeDefined();
}

async function guestProcess(name: string): Promise<string> {
  return (await host().machine.exec(['pgrep', '-f', `guest=default_${name},`])).trim();
}

async function domains(): Promise<readonly string[]> {
  const remains = await nodeRemains(host());
  return remains.filter((line) => line.startsWith('domain ')).map((line) => line.slice('domain '.length));
}

function isRunning({ status }: VirtualMachineInstance): boolean {
  return status?.phase === 'Running';
}

function isAnother({ metadata }: VirtualMachineInstance, before: VirtualMachineInstance | undefined): boolean {
  return metadata.uid !== before?.metadata.uid;
}

function isTrue({ status }: VirtualMachineInstance, type: string): boolean {
  return status?.conditions?.some((each) => each.type === type && each.status === 'True') === true;
}

/** What keeps the guest from being as it should. */
function troubleOf({ status }: VirtualMachineInstance): string | undefined {
  return status?.conditions?.find((each) => each.type === 'Synchronized' && each.status === 'False')?.message;
}

interface Spec {
  readonly memory?: string;
  readonly disks?: readonly object[];
  readonly interfaces?: readonly object[];
  readonly volumes?: readonly object[];
  readonly networks?: readonly object[];
}

function disk(source: object): Spec {
  return { disks: [{ name: 'root', disk: { bus: 'virtio' } }], volumes: [{ name: 'root', ...source }] };
}

function card(macAddress: string): Spec {
  return { interfaces: [{ name: 'default', masquerade: {}, macAddress }], networks: [{ name: 'default', pod: {} }] };
}

/** One that boots, and has a disk on which it can count. */
function counting(path: string): Spec {
  const names = ['root', 'seed', 'counts'];
  return {
    memory: '128Mi',
    disks: names.map((name) => ({ name, disk: { bus: 'virtio' } })),
    volumes: [
      { name: 'root', containerDisk: { image: 'demo' } },
      { name: 'seed', cloudInitNoCloud: { userData: '#cloud-config\nhostname: writer\n' } },
      { name: 'counts', hostDisk: { path, type: 'DiskOrCreate', capacity: '16Mi' } },
    ],
  };
}

/** A machine that costs next to nothing: most find nothing to boot. */
function machine(name: string, spec: Spec, runStrategy = 'Always'): VirtualMachine {
  const { memory: guest = '16Mi', disks, interfaces, volumes, networks } = spec;
  const devices = { autoattachGraphicsDevice: false, ...(disks && { disks }), ...(interfaces && { interfaces }) };
  const domain = { cpu: { model: 'qemu64' }, memory: { guest }, devices };
  const more = { ...(volumes && { volumes }), ...(networks && { networks }) };
  const inside = { hypervisor: 'qemu', terminationGracePeriodSeconds: 0, domain, ...more };
  const template = JSON.parse(JSON.stringify({ spec: inside }));
  return { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata: { name }, spec: { runStrategy, template } };
}
