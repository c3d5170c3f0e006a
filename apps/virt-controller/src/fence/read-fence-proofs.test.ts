import { expect, it } from 'vitest';

import { slimNode } from '../kinds/cluster-node.ts';
import { readFenceProofs } from './read-fence-proofs.ts';

const AT = '2026-01-01T00:00:00Z';
const DEAD = 'high availability: n1 is disabled and declared dead by incident 7';

it.each([
  { what: 'nothing', annotations: {}, conditions: [], times: [] },
  { what: 'the annotation of a node', annotations: { 'smalt.dev/fenced-at': AT }, conditions: [], times: [AT] },
  { what: 'a time that is none', annotations: { 'smalt.dev/fenced-at': 'yes' }, conditions: [], times: [] },
  { what: 'the word of the HA service', annotations: {}, conditions: [disabled({})], times: [AT] },
  { what: 'the word of others', annotations: {}, conditions: [disabled({ message: 'maintenance' })], times: [] },
  { what: 'a word that was taken back', annotations: {}, conditions: [disabled({ status: 'False' })], times: [] },
  { what: 'an attempt', annotations: {}, conditions: [disabled({ reason: 'Failed' })], times: [] },
  { what: 'another condition', annotations: {}, conditions: [disabled({ type: 'HaEnabled' })], times: [] },
])('finds $times.length proofs in $what', ({ annotations, conditions, times }) => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', annotations } };
  const hypervisor = {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Hypervisor',
    metadata: { name: 'n1' },
    status: { conditions },
  };

  const proofs = readFenceProofs('n1', node, hypervisor);

  expect(proofs).toEqual(times.map((time) => ({ nodeName: 'n1', offAt: Date.parse(time) })));
});

it('reads what is over with the node', () => {
  const annotations = {
    'smalt.dev/fenced-at': AT,
    'smalt.dev/fenced-boot': 'b1',
    'smalt.dev/fenced-heartbeat': 'then',
  };
  const node = slimNode({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', annotations } });

  const proofs = readFenceProofs('n1', node, undefined);

  expect(proofs).toEqual([{ nodeName: 'n1', offAt: Date.parse(AT), boot: { id: 'b1', heartbeat: 'then' } }]);
});

it('keeps the boot of a node in memory', () => {
  const status = { allocatable: { cpu: '1' }, nodeInfo: { bootID: 'b1' } };

  const { status: kept } = slimNode({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, status });

  expect(kept).toEqual({ nodeInfo: { bootID: 'b1' } });
});

it('goes by no word of the HA service about a node that is missing: nothing shows whether it has lived since', () => {
  const hypervisor = {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Hypervisor',
    metadata: { name: 'n1' },
    status: { conditions: [disabled({})] },
  };

  expect(readFenceProofs('n1', undefined, hypervisor)).toEqual([]);
});

it('finds none where there is neither a node nor a hypervisor', () => {
  expect(readFenceProofs('n1', undefined, undefined)).toEqual([]);
});

function disabled(part: { type?: string; status?: 'True' | 'False'; reason?: string; message?: string }) {
  const status: 'True' | 'False' = 'True';
  return { type: 'HypervisorDisabled', status, reason: 'Succeeded', message: DEAD, lastTransitionTime: AT, ...part };
}
