import { parseQuantity, scaleQuantity } from '@smalt/quantity';

import { qosClass } from '../pods/pod-limits.ts';
import type { RunnerPod } from '../pods/pod.ts';

/**
 * How many processors a pod gets for itself; undefined for one that shares them. As a static CPU manager has it: those that
 * are guaranteed and ask for whole ones.
 */
export function wholeProcessors(pod: RunnerPod): number | undefined {
  const asked = pod.spec.containers[0]?.resources?.limits?.['cpu'];
  if (asked === undefined || qosClass(pod) !== 'Guaranteed') return undefined;
  const milli = Number(scaleQuantity(parseQuantity(String(asked)), -3));
  return milli >= 1000 && milli % 1000 === 0 ? milli / 1000 : undefined;
}
