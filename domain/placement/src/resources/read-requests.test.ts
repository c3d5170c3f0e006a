import { describe, expect, it } from 'vitest';

import { pod, sizedPod } from '../fixtures/objects.ts';
import { readRequests } from './read-requests.ts';

describe('readRequests', () => {
  it('sums up containers and adds what the runtime takes', () => {
    const containers = [
      { name: 'a', resources: { requests: { cpu: '100m', memory: '1Gi' } } },
      { name: 'b', resources: { requests: { cpu: '1', 'devices.kubevirt.io/kvm': '1' } } },
    ];

    const requests = readRequests(pod('p', { containers, overhead: { memory: '1Mi' } }));

    expect(Object.fromEntries(requests)).toEqual({
      cpu: 1100,
      memory: 1024 ** 3 + 1024 ** 2,
      'devices.kubevirt.io/kvm': 1,
      pods: 1,
    });
  });

  it('takes the limit where no request is set', () => {
    const containers = [{ name: 'a', resources: { limits: { cpu: 2, memory: '1k' }, requests: { cpu: '1' } } }];

    expect(Object.fromEntries(readRequests(pod('p', { containers })))).toEqual({ cpu: 1000, memory: 1000, pods: 1 });
  });

  it('needs room for the largest start as well as for all that runs', () => {
    const initContainers = [container('500m'), container('100m', 'Always'), container('700m')];

    const requests = readRequests(pod('p', { containers: [container('200m')], initContainers }));

    expect(requests.get('cpu')).toBe(800);
  });

  it.each([
    ['no quantity', 'much', 'invalid-quantity'],
    ['less than zero', '-1', 'invalid-quantity'],
  ])('names the field of what is %s', (_what, memory, code) => {
    expect(() => readRequests(sizedPod('p', { memory }))).toThrow(
      expect.objectContaining({
        code,
        message: expect.stringContaining('pod default/p: spec.containers[0].resources.requests.memory'),
      }),
    );
  });
});

function container(cpu: string, restartPolicy?: string) {
  return { name: 'c', resources: { requests: { cpu } }, ...(restartPolicy === undefined ? {} : { restartPolicy }) };
}
