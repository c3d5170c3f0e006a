import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { openCgroups, parseProcessors } from '@smalt/pod-sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startVmWorld, type VmWorld } from './virtual-machines/vm-world.ts';

/** Processors that can be had: all but the one that is reserved. */
const OWN = availableParallelism() - 1;

let world: VmWorld;

beforeAll(async () => {
  world = await startVmWorld({ hosts: 1, reservedProcessors: '0', signal: AbortSignal.timeout(240_000) });
}, 240_000);

afterAll(() => world[Symbol.asyncDispose](), 60_000);

describe.runIf(OWN > 0)('a virtual machine with processors of its own', { timeout: 180_000 }, () => {
  it('has them to itself, and the next one waits until they are free', async () => {
    await world.kubectl(['apply', '-f', '-'], machine('first', OWN));
    await world.untilInstance('first', ({ status }) => status?.phase === 'Running');
    const threads = await processorThreads();

    expect(threads.toSorted()).toEqual(Array.from({ length: OWN }, (_, index) => String(index + 1)).toSorted());
    const labels = await world.kubectl(['get', 'node', 'hv1', '-o', 'jsonpath={.metadata.labels.cpumanager}']);
    expect(labels).toBe('true');
    expect(await world.kubectl(['get', 'pods', '-o', 'jsonpath={.items[*].status.qosClass}'])).toBe('Guaranteed');

    await world.kubectl(['apply', '-f', '-'], machine('second', 1));
    const waiting = await world.untilInstance('second', ({ status }) =>
      (status?.conditions ?? []).some(({ type, status: value }) => type === 'PodScheduled' && value === 'False'),
    );
    const why = waiting.status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
    expect(why).toContain('Insufficient cpu');

    await world.kubectl(['delete', 'vm', 'first', '--wait=true', '--timeout=60s']);
    await world.untilInstance('second', ({ status }) => status?.phase === 'Running');
    expect(await processorThreads()).toEqual(['1']);
  });
});

/** On which processors the threads of guests run that stand for theirs, as the kernel says. */
async function processorThreads(): Promise<readonly string[]> {
  const cgroups = await openCgroups();
  const pods = join(world.hosts[0]?.cgroupRoot ?? '', 'smalt/pods');
  const processIds = await cgroups.processIds(pods);
  const found: string[] = [];
  for (const processId of processIds) {
    const ids = await readdir(`/proc/${processId}/task`);
    const texts = await Promise.all(ids.map((id) => readFile(`/proc/${processId}/task/${id}/status`, 'utf8')));
    for (const text of texts) {
      if (!/^Name:\s*CPU \d+\//mu.test(text)) continue;
      found.push(parseProcessors(/^Cpus_allowed_list:\s*(.*)$/mu.exec(text)?.[1] ?? '').join(','));
    }
  }
  return found;
}

function machine(name: string, cores: number): string {
  return `
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: ${name}
spec:
  runStrategy: Always
  template:
    spec:
      hypervisor: qemu
      terminationGracePeriodSeconds: 0
      domain:
        cpu:
          cores: ${cores}
          dedicatedCpuPlacement: true
        memory:
          guest: 96Mi
        devices:
          disks:
            - name: root
              disk:
                bus: virtio
      volumes:
        - name: root
          containerDisk:
            image: demo
`;
}
