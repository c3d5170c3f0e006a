import { describe, expect, it } from 'vitest';

import { podObject } from '../fixtures/pods.ts';
import { podLimits, qosClass } from './pod-limits.ts';
import type { RunnerContainer, RunnerPod } from './pod.ts';

describe('podLimits', () => {
  it.each([
    { resources: {}, limits: {} },
    { resources: { requests: { cpu: '100m', memory: '1Gi' } }, limits: { cpuRequestMilli: 100 } },
    {
      resources: { requests: { cpu: 2 }, limits: { cpu: '2', memory: '64Mi' } },
      limits: { cpuRequestMilli: 2000, cpuLimitMilli: 2000, memoryLimitBytes: 67_108_864n },
    },
    { resources: { limits: { cpu: '500m' } }, limits: { cpuRequestMilli: 500, cpuLimitMilli: 500 } },
  ])('$resources', ({ resources, limits }) => {
    expect(podLimits(withResources(resources))).toEqual({
      cpuRequestMilli: undefined,
      cpuLimitMilli: undefined,
      memoryLimitBytes: undefined,
      processLimit: 16_384,
      ...limits,
    });
  });

  it('names an amount that is none', () => {
    const pod = withResources({ limits: { memory: 'much' } });

    expect(() => podLimits(pod)).toThrow('spec.containers[0].resources.limits.memory: "much" is no quantity');
  });
});

describe('qosClass', () => {
  const all = { cpu: '1', memory: '1Gi' };

  it.each([
    { resources: {}, wanted: 'BestEffort' },
    { resources: { requests: { 'devices.kubevirt.io/kvm': '1' } }, wanted: 'BestEffort' },
    { resources: { requests: { cpu: '1' } }, wanted: 'Burstable' },
    { resources: { requests: all, limits: { memory: '1Gi' } }, wanted: 'Burstable' },
    { resources: { requests: { cpu: '1', memory: '512Mi' }, limits: all }, wanted: 'Burstable' },
    { resources: { requests: all, limits: all }, wanted: 'Guaranteed' },
    { resources: { limits: all }, wanted: 'Guaranteed' },
  ])('$wanted with $resources', ({ resources, wanted }) => {
    expect(qosClass(withResources(resources))).toBe(wanted);
  });
});

function withResources(resources: RunnerContainer['resources'] & object): RunnerPod {
  const pod = podObject();
  return { ...pod, spec: { ...pod.spec, containers: [{ name: 'compute', resources }] } };
}
