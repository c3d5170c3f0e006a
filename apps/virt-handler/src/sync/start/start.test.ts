import { findHypervisor } from '@smalt/hypervisors';
import { LibvirtError } from '@smalt/libvirt';
import { describe, expect, it } from 'vitest';

import { anInstance } from '../fixtures/an-instance.ts';
import { describeHolder } from './describe-holder.ts';
import { domainContext } from './domain-context.ts';
import { explainLibvirtFailure } from './explain-libvirt-failure.ts';
import { namesDomain } from './guest-processes.ts';
import { StartSlots } from './start-slots.ts';
import { vsockAddress } from './vsock-address.ts';

const UUID = '5d307ca9-b3ef-428c-8861-06e72d69f223';
const domain = { name: 'default_guest', uuid: UUID };

describe('the process of a guest', () => {
  it.each([
    ['qemu', ['/usr/bin/qemu-system-x86_64', '-name', 'guest=default_guest,debug-threads=on', '-uuid', UUID], true],
    ['qemu', ['/usr/bin/qemu-system-x86_64', '-uuid', UUID.replace('5', '6')], false],
    ['qemu', ['/bin/sh', '-uuid', UUID], false],
    ['qemu', ['/usr/bin/qemu-system-x86_64', '-append', `-uuid ${UUID}`], false],
    ['lxc', ['/usr/lib/libvirt/libvirt_lxc', '--name', 'default_guest', '--console', '24'], true],
    ['lxc', ['/usr/lib/libvirt/libvirt_lxc', '--name', 'default_guest-2'], false],
    ['lxc', [''], false],
  ] as const)('of %s has the words %j: %s', (driver, words, isGuest) => {
    const query = { hypervisor: findHypervisor(driver), pidDirectory: undefined, domain };

    expect(namesDomain(words.join('\0'), query)).toBe(isGuest);
  });
});

describe('the places for starts', () => {
  it('are given in the order of who came, and given back', () => {
    const woken: string[] = [];
    const slots = new StartSlots(1, (key) => woken.push(key));

    const first = slots.take('a');
    expect([slots.take('b'), slots.take('c')]).toEqual([undefined, undefined]);
    first?.[Symbol.dispose]();

    expect(woken).toEqual(['b']);
    expect(slots.take('b')).toBeDefined();
  });
});

describe('the address of the socket to the host', () => {
  const asking = anInstance({}, { domain: { devices: { autoattachVSOCK: true } } });

  it.each([
    ['nobody asks for one', anInstance(), [], undefined],
    ['none is taken', asking, [undefined], 3],
    ['some are taken', asking, [3, 4, 6], 5],
    ['it has one already', { ...asking, status: { VSOCKCID: 9 } }, [9], 9],
  ] as const)('when %s', (_, instance, taken, address) => {
    expect(vsockAddress(instance, taken)).toBe(address);
  });
});

it.each([
  ['shop_web', 'shop', 'the domain shop_web'],
  ['mill_web', 'shop', 'a guest of another namespace'],
  ['shop-two_web', 'shop', 'a guest of another namespace'],
  ['made-by-hand', undefined, 'a guest of another namespace'],
])('the domain %s is told to who asks in %s as %s', (name, namespace, told) => {
  expect(describeHolder(name, namespace)).toBe(told);
});

it('what a domain needs of its node is in the directory of its instance, and logs only if that is asked for', () => {
  const findings = {
    directory: '/state/u-1',
    volumes: [],
    networks: [],
    hostDevices: [],
    kernel: undefined,
    firmware: [],
    sandbox: { podUid: 'p', namespace: 'd', name: 'n', launcher: undefined, guestCgroup: undefined, volumes: {} },
    capabilities: undefined,
    dedicatedCpus: [1],
    vsockAddress: 3,
    machineLabel: { manufacturer: 'a', family: 'b', product: 'c' },
  };
  const logging = anInstance({}, { domain: { devices: { logSerialConsole: true } } });

  const quiet = domainContext({ ...findings, instance: anInstance() });
  const logged = domainContext({ ...findings, instance: logging });

  expect(quiet.paths).toEqual({
    serial: '/state/u-1/sockets/serial',
    vnc: '/state/u-1/sockets/vnc',
    serialLog: undefined,
    variables: '/state/u-1/variables.fd',
    usbRedirection: '/state/u-1/sockets',
  });
  expect(logged.paths.serialLog).toBe('/state/u-1/serial.log');
});

it.each([
  [new LibvirtError('internal-error', 'No space left on device'), 'disk-full'],
  [new LibvirtError('internal-error', 'qemu unexpectedly closed the monitor'), 'start-failed'],
  [new LibvirtError('connection-lost', 'it broke'), 'unavailable'],
  [new LibvirtError('aborted', 'enough'), 'aborted'],
])('a failure of libvirt is told as %s', (error, code) => {
  expect(explainLibvirtFailure(error, 'the guest cannot be started')).toMatchObject({ code });
});
