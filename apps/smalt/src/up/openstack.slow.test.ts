import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { biosDomainXml } from '@smalt/bed-libvirt';
import { connect, type Connection } from '@smalt/libvirt';
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

const run = promisify(execFile);
const START_MS = 400_000;
const WAIT_MS = 180_000;
const UUID_LENGTH = 36;
const POLL = { timeout: WAIT_MS, interval: 1_000 };

// One server lives through all of it in this order; nothing can be tried again.
describe.runIf(await canRunOpenStack())('smalt up --hosts 2 --openstack', { timeout: START_MS, retry: 0 }, () => {
  let directory: string;
  let smalt: RunningSmalt;
  let kubeconfig: string;
  let openrc: string;

  beforeAll(async () => {
    // Not on a tmpfs, where QEMU cannot open disks as it does.
    directory = await mkdtemp('/var/tmp/smalt-openstack-');
    // Guests are not root, and have to get through.
    await chmod(directory, 0o711);
    smalt = startSmalt(['up', '--data', directory, '--hosts', '2', '--openstack', '--no-console']);
    kubeconfig = (await smalt.line(/export KUBECONFIG=(\S+)/))[1] ?? '';
    openrc = (await smalt.line(/source (\S+)/))[1] ?? '';
  }, START_MS);

  afterAll(async () => {
    await smalt.kill();
    await runSmalt(['down', '--data', directory, '--purge', '--yes']);
    await rm(directory, { recursive: true, force: true });
  }, START_MS);

  it('takes its hosts into use, which Nova has alone, and keeps the password to itself', async () => {
    for (const name of ['hv1', 'hv2']) {
      await kubectl(kubeconfig, ['wait', `hypervisor/${name}`, '--for=condition=Ready', '--timeout=120s']);
    }

    const password = await readFile(join(directory, 'openstack/password'), 'utf8');
    const agents = JSON.parse(await readFile(join(directory, 'hosts/hv1/agents.json'), 'utf8'));
    const commandLines = await Promise.all(processesWithin(directory).map(commandLine));
    expect(await openstack('hypervisor', 'list', '-f', 'value', '-c', 'Hypervisor Hostname')).toMatch(
      /hv1\nhv2|hv2\nhv1/,
    );
    expect(agents.kubeconfigs.virtHandler).toBeUndefined();
    expect((await stat(openrc)).mode & 0o777).toBe(0o600);
    expect([smalt.text(), ...commandLines].filter((text) => text.includes(password))).toEqual([]);
  });

  it('boots a server on a host, beside a guest that is not of Nova', async () => {
    await using libvirt = await connectTo('hv1');
    await libvirt.domainCreateXml({ xml: biosDomainXml({ name: 'stranger' }) });
    const image = ['--flavor', 'm1.tiny', '--image', 'cirros-kvm', '--nic', 'none'];
    await openstack('server', 'create', ...image, '--host', 'hv1', '--wait', 'first');

    expect(await first()).toBe('hv1 ACTIVE');
    expect(namedWithin(directory, 'qemu-system')).toHaveLength(2);
  });

  it('shows the disk of the server to nobody else on this machine', async () => {
    const instances = join(directory, 'openstack/instances');
    const server = (await readdir(instances)).find((name) => name.length === UUID_LENGTH) ?? '';
    const disk = join(instances, server, 'disk');
    const nobody = { uid: 65_534, gid: 65_534 };

    expect((await stat(disk)).isFile()).toBe(true);
    await expect(run('head', ['-c', '1', disk], nobody)).rejects.toThrow('Permission denied');
  });

  it('moves it away from a host that goes into maintenance, while it runs', async () => {
    const on = await runSmalt(['maintenance', 'hv1', 'on', '--wait', '--kubeconfig', kubeconfig]);

    expect(on).toMatchObject({ code: 0 });
    expect(await first()).toBe('hv2 ACTIVE');
    expect(namedWithin(directory, 'qemu-system')).toHaveLength(2);
    await runSmalt(['maintenance', 'hv1', 'off', '--wait', '--kubeconfig', kubeconfig]);
  });

  it('is found again after a kill of it, with the server that has run on', async () => {
    const before = namedWithin(directory, 'qemu-system');

    await smalt.kill();
    smalt = startSmalt(['up', '--data', directory, '--no-console']);
    await smalt.line(/^Smalt is ready/m);

    await expect.poll(first, POLL).toBe('hv2 ACTIVE');
    expect(namedWithin(directory, 'qemu-system')).toEqual(before);
  });

  it('leaves the guest that is not of Nova alone', async () => {
    await using libvirt = await connectTo('hv1');

    expect((await libvirt.connectListAllDomains()).map(({ name }) => name)).toContain('stranger');
  });

  it('does not start a server whose guest came to another host without Nova, as at the end of a live migration', async () => {
    await smalt.kill();
    await using source = await connectTo('hv2');
    await using target = await connectTo('hv1');
    const domain = await source.domainLookupByName({ name: (await source.connectListAllDomains())[0]?.name ?? '' });
    const xml = await source.domainGetXmlDesc({ domain });
    await source.domainDestroy({ domain });
    await target.domainCreateXml({ xml });
    const moved = namedWithin(directory, 'qemu-system');
    smalt = startSmalt(['up', '--data', directory, '--no-console']);
    await smalt.line(/^Smalt is ready/m);

    await expect.poll(first, POLL).toBe('hv2 ERROR');
    expect(namedWithin(directory, 'qemu-system')).toEqual(moved);

    await target.domainDestroy({ domain: await target.domainLookupByName({ name: domain.name }) });
    await openstack('server', 'reboot', '--hard', '--wait', 'first');
    await expect.poll(first, POLL).toBe('hv2 ACTIVE');
  });

  it('brings the server back after Ctrl-C, which ends all', async () => {
    smalt.pressCtrlC();
    const code = await smalt.closed;
    const left = processesWithin(directory);
    smalt = startSmalt(['up', '--data', directory, '--no-console']);
    await smalt.line(/^Smalt is ready/m);

    await expect.poll(first, POLL).toBe('hv2 ACTIVE');
    await expect.poll(() => namedWithin(directory, 'qemu-system').length, POLL).toBe(1);
    expect({ code, left }).toEqual({ code: 0, left: [] });
  });

  it('leaves nothing behind when it is purged', async () => {
    const purged = await runSmalt(['down', '--data', directory, '--purge', '--yes']);

    expect(purged).toMatchObject({ code: 0 });
    expect(await smalt.closed).toBe(0);
    expect(processesWithin(directory)).toEqual([]);
    await expect(stat(directory)).rejects.toThrow('ENOENT');
  });

  async function connectTo(host: string): Promise<Connection> {
    const socket = join(directory, 'hosts', host, 'own/lv/run/libvirt-sock');
    return await connect(`qemu+unix:///system?socket=${encodeURIComponent(socket)}`);
  }

  /** What the client of OpenStack prints, as a person runs it. */
  async function openstack(...words: readonly string[]): Promise<string> {
    const { stdout } = await run('bash', ['-c', 'source "$0"; exec openstack "$@"', openrc, ...words]);
    return stdout.trim();
  }

  /** Where the server is, and how it does. */
  async function first(): Promise<string> {
    const columns = ['-c', 'OS-EXT-SRV-ATTR:host', '-c', 'status', '-f', 'value'];
    return (await openstack('server', 'show', 'first', ...columns)).replaceAll('\n', ' ');
  }
});

async function commandLine(pid: string): Promise<string> {
  return await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}
