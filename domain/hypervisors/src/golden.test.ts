import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { printDomain } from '@smalt/domain-xml';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { refusalsOf } from './capability/refusals-of.ts';
import { findHypervisor, hypervisorOf } from './find-hypervisor.ts';
import { nodeContext } from './fixtures/node-context.ts';
import { readInstances } from './fixtures/read-instances.ts';
import type { Hypervisor } from './hypervisor.ts';
import { hypervisors } from './hypervisors.ts';
import { qemuKvm } from './qemu-kvm/qemu-kvm.ts';

const instances = await readInstances();
const ofQemuKvm = instances.filter(({ spec }) => spec.hypervisor === undefined);

describe('the domains of qemu-kvm', () => {
  it.each(ofQemuKvm.map((instance) => [instance.metadata.name, instance] as const))(
    'are as they ever were: %s',
    async (name, instance) => {
      await expect(print(qemuKvm, instance)).toMatchFileSnapshot(golden('qemu-kvm', name));
    },
  );

  it('are all there, and no golden file is left over', async () => {
    const files = await readdir(new URL('./qemu-kvm/golden', import.meta.url));

    expect(files.toSorted()).toEqual(ofQemuKvm.map(({ metadata }) => `${metadata.name}.xml`).toSorted());
  });

  it('stay the same whatever the other drivers are', () => {
    const others = hypervisors.filter((hypervisor) => hypervisor !== qemuKvm).map(({ name }) => hostile(name));

    const texts = ofQemuKvm.map((instance) => print(hypervisorOf(instance, [qemuKvm, ...others]), instance));

    expect(texts).toEqual(ofQemuKvm.map((instance) => print(qemuKvm, instance)));
  });

  it('are made by files among which there is none of another driver', async () => {
    const reached = await filesBehind(new URL('./qemu-kvm/qemu-kvm.ts', import.meta.url));
    const strange = hypervisors.filter(({ name }) => name !== 'qemu-kvm').map(({ name }) => `/${name}/`);

    expect(reached.some((file) => file.endsWith('/domain-xml/src/disks/disks-step.ts'))).toBe(true);
    expect(reached.filter((file) => strange.some((folder) => file.includes(folder)))).toEqual([]);
  });

  it('are the same each time, and leave the instance alone', () => {
    const frozen = deepFreeze(ofQemuKvm);

    expect(frozen.map((instance) => print(qemuKvm, instance))).toEqual(
      ofQemuKvm.map((instance) => print(qemuKvm, instance)),
    );
  });
});

describe('the domains of other drivers', () => {
  it.each(hypervisors.filter(({ name }) => name !== 'qemu-kvm').map(({ name }) => name))(
    'of %s are known',
    async (name) => {
      const hypervisor = findHypervisor(name);
      const instance = instances.find(({ metadata }) => metadata.name === 'plain');
      if (!instance) throw new Error('There is no plain instance');

      expect(refusalsOf(hypervisor, instance)).toEqual([]);
      await expect(print(hypervisor, instance)).toMatchFileSnapshot(golden(name, 'plain'));
    },
  );

  it('of the example for cloud-hypervisor is known', async () => {
    const instance = instances.find(({ spec }) => spec.hypervisor === 'cloud-hypervisor');
    if (!instance) throw new Error('There is no example');

    expect(refusalsOf(hypervisorOf(instance), instance)).toEqual([]);
    await expect(print(hypervisorOf(instance), instance)).toMatchFileSnapshot(golden('cloud-hypervisor', 'light'));
  });

  it('differ between qemu and qemu-kvm by the type alone', () => {
    const pairs = ofQemuKvm.map(
      (instance) => [print(findHypervisor('qemu'), instance), print(qemuKvm, instance)] as const,
    );

    expect(pairs.map(([emulated]) => emulated)).toEqual(
      pairs.map(([, kvm]) => kvm.replace("type='kvm'", "type='qemu'")),
    );
  });
});

function print(hypervisor: Hypervisor, instance: VirtualMachineInstance): string {
  return printDomain(hypervisor, instance, nodeContext(instance));
}

function golden(hypervisor: string, name: string): string {
  return fileURLToPath(new URL(`./${hypervisor}/golden/${name}.xml`, import.meta.url));
}

/** A driver that breaks when anything but its name is looked at. */
function hostile(name: string): Hypervisor {
  return new Proxy(
    { ...qemuKvm, name },
    {
      get: (target, key) => {
        if (key === 'name') return target.name;
        throw new Error(`The driver ${name} was asked for ${String(key)}`);
      },
    },
  );
}

/** All files that a file imports, its own package's and those of domain-xml, however far away. */
async function filesBehind(file: URL, seen = new Set<string>()): Promise<readonly string[]> {
  if (seen.has(file.href)) return [];
  seen.add(file.href);
  const text = await readFile(file, 'utf8');
  for (const [, target = ''] of text.matchAll(/from '([^']+)'/g)) {
    if (target.startsWith('.')) await filesBehind(new URL(target, file), seen);
    if (target === '@smalt/domain-xml')
      await filesBehind(new URL('../../domain-xml/src/index.ts', import.meta.url), seen);
  }
  return [...seen];
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
