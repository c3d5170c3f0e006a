import type { JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { convertVersion, storageVersionOf } from './convert-version.ts';

describe('convertVersion', () => {
  it('shows an event of the core group in the words of the other group, and back', () => {
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod' },
      message: 'hello',
      source: { component: 'c' },
      count: 2,
      reportingComponent: 'r',
      reason: 'Because',
    };

    const other = convertVersion(event, 'events.k8s.io/v1');

    expect(other).toEqual({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'e' },
      regarding: { kind: 'Pod' },
      note: 'hello',
      deprecatedSource: { component: 'c' },
      deprecatedCount: 2,
      reportingController: 'r',
      reason: 'Because',
    });
    expect(convertVersion(other, 'v1')).toEqual(event);
  });

  it('keeps what a v1 autoscaler cannot say', () => {
    const memory = {
      type: 'Resource',
      resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 60 } },
    };
    const stored: JsonObject = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      spec: { maxReplicas: 5, metrics: [cpu(80), memory], behavior: { scaleUp: {} } },
      status: { conditions: [{ type: 'AbleToScale' }], desiredReplicas: 2, currentReplicas: 1 },
    };

    const shown = convertVersion(stored, 'autoscaling/v1');
    const changed = { ...shown, spec: { maxReplicas: 9, targetCPUUtilizationPercentage: 50 } };

    expect(shown).toMatchObject({ spec: { maxReplicas: 5, targetCPUUtilizationPercentage: 80 } });
    expect(convertVersion(changed, 'autoscaling/v2', stored)).toEqual({
      ...stored,
      spec: { maxReplicas: 9, metrics: [cpu(50), memory], behavior: { scaleUp: {} } },
    });
  });

  it('leaves other objects alone', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod' };

    expect(convertVersion(pod, 'v1')).toBe(pod);
    expect(storageVersionOf('v1', 'Pod')).toBeUndefined();
    expect(storageVersionOf('events.k8s.io/v1', 'Event')).toBe('v1');
  });
});

function cpu(percent: number): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } } };
}
