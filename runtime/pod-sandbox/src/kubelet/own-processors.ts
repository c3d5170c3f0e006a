import { parseQuantity, scaleQuantity } from '@smalt/quantity';

import type { KubeletContainer } from './kubelet-pod.ts';

/**
 * The processors that a container has to itself, of those that it may use: all, if they are as many as it asks for. Where a
 * kubelet gives no processors away, it may use those that all others use too.
 */
export function ownProcessors(
  container: KubeletContainer | undefined,
  qosClass: string,
  usable: readonly number[] | undefined,
): readonly number[] | undefined {
  const limit = container?.resources?.limits?.['cpu'];
  if (qosClass !== 'Guaranteed' || limit === undefined || usable === undefined) return undefined;
  return scaleQuantity(parseQuantity(String(limit)), -3) === BigInt(usable.length * 1_000) ? usable : undefined;
}
