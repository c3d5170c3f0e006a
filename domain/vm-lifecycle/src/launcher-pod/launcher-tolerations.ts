import type { Toleration, VirtualMachineInstance } from '@smalt/vm-api';

const STAYS_THROUGH = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/**
 * The tolerations of the instance, and that its pod is not deleted because its node was out of touch: the guest may well run,
 * and would be shut down when the node is back. Kubernetes would give it five minutes. See docs/decisions/0021-proof-before-rebuild.md
 */
export function launcherTolerations({ tolerations = [] }: VirtualMachineInstance['spec']): readonly Toleration[] {
  const added = STAYS_THROUGH.filter((key) => !tolerations.some((each) => isAbout(each, key)));
  return [...tolerations, ...added.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute' }))];
}

/** As Kubernetes tells whether a pod says itself how long it stays. */
function isAbout({ key = '', effect = '' }: Toleration, taintKey: string): boolean {
  return (key === '' || key === taintKey) && (effect === '' || effect === 'NoExecute');
}
