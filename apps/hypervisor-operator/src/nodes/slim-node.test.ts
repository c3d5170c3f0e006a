import { expect, it } from 'vitest';

import type { ClusterNode } from './cluster-node.ts';
import { slimNode } from './slim-node.ts';

it('keeps what controllers read of a node, and nothing that grows or ticks', () => {
  const taints = [{ key: 'kvm.cloud.sap/offboarding', effect: 'NoExecute' }] as const;
  const addresses = [{ type: 'InternalIP', address: '10.0.0.1' }];
  const condition = {
    type: 'Terminating',
    status: 'True',
    reason: 'R',
    message: 'm',
    lastTransitionTime: 't',
  } as const;
  const metadata = { name: 'n', uid: 'u', labels: { a: 'b' } };

  const slim = slimNode(
    whole({
      metadata: { ...metadata, managedFields: [{ manager: 'kubelet' }] },
      spec: { taints, podCIDR: '10.1.0.0/24' },
      status: { addresses, conditions: [{ ...condition, lastHeartbeatTime: 'now' }], images: [{ names: ['busybox'] }] },
    }),
  );

  expect(slim).toEqual({
    apiVersion: 'v1',
    kind: 'Node',
    metadata,
    spec: { taints },
    status: { addresses, conditions: [condition] },
  });
});

it('takes a node that has nothing yet', () => {
  expect(slimNode(whole({ metadata: { name: 'n' } }))).toEqual({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n' },
    spec: {},
    status: {},
  });
});

/** A node with more than our type knows, as the API serves it. */
function whole(fields: Pick<ClusterNode, 'metadata'> & Record<string, unknown>): ClusterNode {
  return { apiVersion: 'v1', kind: 'Node', ...fields };
}
