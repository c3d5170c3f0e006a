import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { SubresourceDeps } from './subresource-call.ts';

const DRAIN_TAINT = 'kubevirt.io/drain';

/** Whether the node of an instance is marked as to be emptied: then it would have to leave again at once. */
export async function isDraining(
  { objects }: Pick<SubresourceDeps, 'objects'>,
  { status }: VirtualMachineInstance,
  signal: AbortSignal,
): Promise<boolean> {
  const name = [status?.evacuationNodeName, status?.nodeName].find((each) => each !== undefined && each !== '');
  const node = name === undefined ? undefined : await objects.node(name, signal);
  return (node?.spec?.taints ?? []).some(({ key, effect }) => key === DRAIN_TAINT && effect === 'NoSchedule');
}
