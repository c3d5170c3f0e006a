import { HypervisorDriver } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { findHypervisor, hypervisorOf } from './find-hypervisor.ts';
import { isUnknownHypervisor } from './hypervisor-error.ts';
import type { Hypervisor } from './hypervisor.ts';
import { hypervisors } from './hypervisors.ts';

describe('choosing a driver', () => {
  it.each([
    [undefined, 'qemu-kvm'],
    ['', 'qemu-kvm'],
    ['lxc', 'lxc'],
  ])('spec.hypervisor %s is %s', (hypervisor, name) => {
    const spec = { domain: { devices: {} }, ...(hypervisor === undefined ? {} : { hypervisor }) };

    expect(hypervisorOf({ spec }).name).toBe(name);
  });

  it.each(['xen', 'constructor', 'QEMU'])('%s is refused with the names that exist', (name) => {
    const error = caught(() => findHypervisor(name));

    expect(isUnknownHypervisor(error)).toBe(true);
    expect(String(error)).toBe(
      `HypervisorError: spec.hypervisor: there is no hypervisor "${name}"; ` +
        'use one of qemu-kvm, qemu, cloud-hypervisor, lxc, test',
    );
  });

  it('knows a driver as soon as it is in the list', () => {
    const xen: Hypervisor = { ...findHypervisor('qemu'), name: 'xen' };

    expect(findHypervisor('xen', [...hypervisors, xen])).toBe(xen);
  });
});

describe('drivers', () => {
  it('are those that the API names', () => {
    expect(hypervisors.map(({ name }) => name)).toEqual(Object.values(HypervisorDriver));
  });

  it.each([
    ['qemu-kvm', 'kvm', 'kvm', 'qemu:///system', 'virtqemud', true],
    ['qemu', 'qemu', undefined, 'qemu:///system', 'virtqemud', true],
    ['cloud-hypervisor', 'kvm', 'kvm', 'ch:///system', 'virtchd', false],
    ['lxc', 'lxc', undefined, 'lxc:///system', 'virtlxcd', true],
    ['test', 'test', undefined, 'test:///default', undefined, true],
  ])('%s has the domain type %s, the device %s and the URI %s', (...[name, type, device, uri, daemon, iso]) => {
    const { domainType, libvirt, supportsIso, ...driver } = findHypervisor(name);

    expect([domainType, driver.device, libvirt.uri, libvirt.modularDaemon?.program, supportsIso]).toEqual([
      type,
      device,
      uri,
      daemon,
      iso,
    ]);
  });

  it.each([
    ['qemu-kvm', 'CPU 12/KVM', '12'],
    ['qemu', 'CPU 0/TCG', '0'],
    ['cloud-hypervisor', 'vcpu3', '3'],
    ['qemu-kvm', 'CPU 0/TCG', undefined],
    ['cloud-hypervisor', 'vcpu', undefined],
    ['lxc', 'CPU 0/KVM', undefined],
  ])('%s sees in the thread %s the processor %s', (name, thread, number) => {
    expect(findHypervisor(name).virtualProcessorThread?.exec(thread)?.[1]).toBe(number);
  });

  it.each(hypervisors.map(({ name }) => name))('%s does each subject once', (name) => {
    const steps = findHypervisor(name).domainSteps.map((step) => step.name);

    expect(steps).toEqual([...new Set(steps)]);
  });
});

describe('the configuration of libvirt', () => {
  it.each([
    ['qemu-kvm', ['/etc/libvirt/virtqemud.conf', '/etc/libvirt/virtlogd.conf', '/etc/libvirt/qemu.conf']],
    ['cloud-hypervisor', ['/etc/libvirt/virtchd.conf']],
    ['lxc', ['/etc/libvirt/virtlxcd.conf']],
    ['test', ['/etc/libvirt/libvirtd.conf']],
  ])('of %s is %o', (name, paths) => {
    expect(
      findHypervisor(name)
        .libvirt.configuration()
        .map(({ path }) => path),
    ).toEqual(paths);
  });

  it('takes log filters', () => {
    const [file] = findHypervisor('lxc').libvirt.configuration({ logFilters: '1:lxc 4:util.json' });

    expect(file?.settings).toMatchObject({ log_filters: '1:lxc 4:util.json' });
  });

  it.each(['', '5:qemu', 'qemu', '1:qemu"\nauth_unix_rw = "none', '1:a  1:b'])(
    'refuses the log filters "%s"',
    (logFilters) => {
      expect(() => findHypervisor('qemu').libvirt.configuration({ logFilters })).toThrow(
        expect.objectContaining({ code: 'invalid-log-filters' }),
      );
    },
  );
});

function caught(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
