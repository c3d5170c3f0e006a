import type { CgroupLimits } from '@smalt/pod-sandbox';
import { parseQuantity, quantityValue, scaleQuantity, type Quantity } from '@smalt/quantity';

import { PodRunnerError } from '../pod-runner-error.ts';
import type { Amounts, RunnerPod } from './pod.ts';

/** Enough for every thread of a large guest and its helpers, and too few to use up the machine. */
const MOST_PROCESSES = 16_384;

/** What the cgroup of a pod is limited to. Throws `invalid-pod` for amounts that are none. */
export function podLimits({ spec }: RunnerPod): CgroupLimits {
  const { requests = {}, limits = {} } = spec.containers[0]?.resources ?? {};
  const cpuRequest = amountOf(requests, 'cpu', 'requests') ?? amountOf(limits, 'cpu', 'limits');
  const cpuLimit = amountOf(limits, 'cpu', 'limits');
  const memoryLimit = amountOf(limits, 'memory', 'limits');
  return {
    cpuRequestMilli: cpuRequest === undefined ? undefined : Number(scaleQuantity(cpuRequest, -3)),
    cpuLimitMilli: cpuLimit === undefined ? undefined : Number(scaleQuantity(cpuLimit, -3)),
    memoryLimitBytes: memoryLimit === undefined ? undefined : quantityValue(memoryLimit),
    processLimit: MOST_PROCESSES,
  };
}

/** The class of a pod: whose memory is taken first when it runs short. */
export function qosClass({ spec }: RunnerPod): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const counted = spec.containers.map(({ resources }) => ({
    requests: onlyCounted(resources?.requests ?? {}),
    limits: onlyCounted(resources?.limits ?? {}),
  }));
  const all = counted.flatMap(({ requests, limits }) => [...Object.keys(requests), ...Object.keys(limits)]);
  if (all.length === 0) return 'BestEffort';
  const isGuaranteed = counted.every(({ requests, limits }) =>
    COUNTED.every(
      (name) => limits[name] !== undefined && String(requests[name] ?? limits[name]) === String(limits[name]),
    ),
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

const COUNTED = ['cpu', 'memory'];

function onlyCounted(amounts: Amounts): Amounts {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => COUNTED.includes(name)));
}

function amountOf(amounts: Amounts, name: string, list: string): Quantity | undefined {
  const text = amounts[name];
  if (text === undefined) return undefined;
  try {
    return parseQuantity(String(text));
  } catch (cause) {
    const field = `spec.containers[0].resources.${list}.${name}`;
    throw new PodRunnerError('invalid-pod', `${field}: "${text}" is no quantity`, { cause });
  }
}
