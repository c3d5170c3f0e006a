import { attribute, element, find, parseXml, valueAt } from '@smalt/xml';
import { expect, it } from 'vitest';

import { biosDomainXml, guestDomainXml } from './guest-domain-xml.ts';
import type { GuestWord } from '@smalt/guest-image';

const image = { kernelPath: '/img/kernel', initramfsPath: '/img/initramfs' };

it('boots the kernel with the words, emulated', () => {
  const { root } = parseXml(guestDomainXml({ name: 'g', image, words: ['tick', 'dirty=8'], memoryMiB: 200 }));

  expect(attribute(root, 'type')).toBe('qemu');
  expect(valueAt(root, 'memory')).toBe('200');
  expect(valueAt(root, 'os/kernel')).toBe('/img/kernel');
  expect(valueAt(root, 'os/cmdline')).toMatch(/^console=ttyS0 .* tick dirty=8$/);
});

it('takes names and paths as they are, whatever characters they hold', () => {
  const name = `a<b>&"'`;
  const { root } = parseXml(
    guestDomainXml({ name, image, console: { file: `/tmp/${name}` }, disks: [{ path: name }] }),
  );

  expect(valueAt(root, 'name')).toBe(name);
  expect(valueAt(root, 'devices/serial/source/@path')).toBe(`/tmp/${name}`);
  expect(valueAt(root, 'devices/disk/source/@file')).toBe(name);
});

it('names disks in order and adds the devices it is given', () => {
  const disks = [{ path: '/a' }, { path: '/b', format: 'qcow2' as const }];
  const devices = [element('watchdog', { model: 'i6300esb', action: 'pause' })];
  const xml = guestDomainXml({ name: 'g', image, disks, devices });

  expect([...xml.matchAll(/dev=.(vd\w)/g)].map(([, target]) => target)).toEqual(['vda', 'vdb']);
  expect(find(parseXml(xml).root, 'devices/watchdog')).toBeDefined();
});

it('leaves room for memory to be plugged in, where asked to', () => {
  const { root } = parseXml(guestDomainXml({ name: 'g', image, vcpus: 2, memoryMiB: 128, maxMemoryMiB: 512 }));

  expect([valueAt(root, 'memory'), valueAt(root, 'maxMemory')]).toEqual(['128', '512']);
  expect(valueAt(root, 'cpu/numa/cell/@cpus')).toBe('0-1');
});

it('refuses a word the guest does not know', () => {
  const words = ['init=/bin/sh' as GuestWord];

  expect(() => guestDomainXml({ name: 'g', image, words })).toThrow('words: the guest does not know init=/bin/sh');
});

it('makes a domain of nothing but a BIOS', () => {
  const { root } = parseXml(biosDomainXml({ name: 'b', uuid: '00000000-0000-4000-8000-000000000001' }));

  expect(valueAt(root, 'memory')).toBe('16');
  expect(valueAt(root, 'uuid')).toBe('00000000-0000-4000-8000-000000000001');
  expect(find(root, 'os/kernel')).toBeUndefined();
  expect(find(root, 'devices/disk')).toBeUndefined();
});
