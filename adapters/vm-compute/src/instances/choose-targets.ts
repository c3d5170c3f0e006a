import type { MoveTarget } from '@smalt/compute';
import { isEndedPod, placePod, type Node, type Pod } from '@smalt/placement';
import { parseQuantity, scaleQuantity } from '@smalt/quantity';

const MEGA_BYTES = 2 ** 20;

type Labels = Readonly<Record<string, string>>;

/** What a migration to a certain host asks for. */
const HOSTNAME_LABEL = 'kubernetes.io/hostname';

/**
 * The nodes that could take a launcher pod beside the pods that are there, by the rules of the scheduler. `asked` is what the instance itself
 * wants of its node: that a migration wanted a certain host counts no longer.
 */
export function chooseTargets(
  launcher: Pod,
  asked: Labels,
  nodes: readonly Node[],
  pods: readonly Pod[],
): readonly MoveTarget[] {
  const { nodeName: _home, nodeSelector = {}, ...rest } = launcher.spec;
  const kept = Object.entries(nodeSelector).filter(([label]) => label !== HOSTNAME_LABEL || label in asked);
  const spec = { ...rest, nodeSelector: Object.fromEntries(kept) };
  const newcomer: Pod = { ...launcher, metadata: { ...launcher.metadata, name: 'newcomer', uid: 'newcomer' }, spec };
  return nodes.flatMap((node) => {
    const { name, uid = '' } = node.metadata;
    const there = pods.filter((pod) => pod.spec.nodeName === name && !isEndedPod(pod));
    if (placePod(newcomer, [node], there).kind !== 'placed') return [];
    return [{ hypervisorId: uid, name, free: freeOn(node, there) }];
  });
}

/** In the words of the port: whole processors, and memory in MiB. */
function freeOn(node: Node, pods: readonly Pod[]): Readonly<Record<string, number>> {
  const left = (resource: string): number => {
    const total = amountOf(node.status?.allocatable?.[resource]);
    const containers = pods.flatMap(({ spec }) => spec.containers);
    const taken = containers.map(({ resources }) => resources?.requests?.[resource] ?? resources?.limits?.[resource]);
    return taken.reduce((rest: number, quantity) => rest - amountOf(quantity), total);
  };
  return { VCPU: Math.floor(left('cpu')), MEMORY_MB: Math.floor(left('memory') / MEGA_BYTES) };
}

function amountOf(quantity: number | string | undefined): number {
  return quantity === undefined ? 0 : Number(scaleQuantity(parseQuantity(String(quantity)), -3)) / 1000;
}
