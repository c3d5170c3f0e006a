import { expect, it } from 'vitest';

import { moduleNeeds, orderModules } from './order-modules.ts';

it('puts every module after those it needs, once', async () => {
  const needs: Record<string, readonly string[]> = {
    virtio: [],
    virtio_ring: ['virtio'],
    virtio_pci: ['virtio_ring', 'virtio'],
    virtio_blk: ['virtio_ring'],
  };

  const order = await orderModules(['virtio-blk', 'virtio_pci', 'built_in'], (name) => Promise.resolve(needs[name]));

  expect(order).toEqual(['virtio', 'virtio_ring', 'virtio_blk', 'virtio_pci']);
});

it('does not turn in circles', async () => {
  const needs: Record<string, readonly string[]> = { a: ['b'], b: ['a'] };

  expect(await orderModules(['a'], (name) => Promise.resolve(needs[name]))).toEqual(['b', 'a']);
});

it.each([
  { file: 'ELF\0license=GPL\0depends=virtio,net-failover\0name=x\0', needs: ['virtio', 'net_failover'] },
  { file: 'ELF\0depends=\0name=x\0', needs: [] },
  { file: 'ELF\0name=x\0', needs: [] },
])('reads $needs.length needs from a module file', ({ file, needs }) => {
  expect(moduleNeeds(Buffer.from(file))).toEqual(needs);
});
