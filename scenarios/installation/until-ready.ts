import type { InstallationWorld } from './installation-world.ts';

const SYSTEM = ['-n', 'smalt-system'] as const;
const WORKLOADS = [
  'daemonset/smalt-node-agent',
  'daemonset/virt-handler',
  'deployment/smalt-console',
  'deployment/smalt-ha-service',
  'deployment/smalt-hypervisor-operator',
  'deployment/virt-api',
  'deployment/virt-controller',
];

type World = Pick<InstallationWorld, 'kubectl'>;

/** All that the chart runs, and the libvirtd of each node. Rejects with what the cluster says of those that are late. */
export async function untilReady(world: World): Promise<void> {
  const waits = WORKLOADS.map((name) => world.kubectl([...SYSTEM, 'rollout', 'status', name, '--timeout=600s']));
  const late = (await Promise.allSettled(waits)).flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (late.length > 0) throw new AggregateError(late, await whatIsWrong(world));
  const libvirtd = ['pod', '-l', 'app.kubernetes.io/name=smalt-libvirt'];
  await world.kubectl([...SYSTEM, 'wait', ...libvirtd, '--for=condition=Ready', '--timeout=400s']);
}

/** What the cluster and the pods say, for whoever looks why. */
async function whatIsWrong(world: World): Promise<string> {
  const questions = [
    ['get', 'pods', '-o', 'wide'],
    ['get', 'events', '--sort-by=.lastTimestamp'],
    ['logs', '-l', 'app.kubernetes.io/part-of=smalt', '--prefix', '--tail=15'],
  ];
  const answers = questions.map((words) => world.kubectl([...SYSTEM, ...words]).catch(String));
  return (await Promise.all(answers)).join('\n');
}
