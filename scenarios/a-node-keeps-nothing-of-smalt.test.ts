import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestApiServer } from '@smalt/bed-kubernetes';
import { WellKnownName as FleetName } from '@smalt/fleet-api';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import { WellKnownName } from '@smalt/vm-api';
import { ObjectName } from '@smalt/vm-compute';
import { NodeLabelPrefix, OBSOLETE_HOST_MODEL_LABEL, SKIP_NODE_ANNOTATION } from '@smalt/vm-lifecycle';
import { expect, it } from 'vitest';

import { PageReader } from './installation/page-reader.ts';

const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };

const LABELS = [
  WellKnownName.schedulableNodeLabel,
  ...Object.values(NodeLabelPrefix).map((prefix) => `${prefix}Some_Name-1.2`),
  'kubevirt.io/cpumanager',
  'kubevirt.io/ksm-enabled',
  'cpumanager',
  OBSOLETE_HOST_MODEL_LABEL,
  `${ObjectName.aggregatePrefix}fast`,
  `${ObjectName.traitPrefix}CUSTOM_FAST`,
  'node-role.kubernetes.io/hypervisor',
  FleetName.virtDriverLabel,
  FleetName.lifecycleLabel,
];
const ANNOTATIONS = [
  WellKnownName.heartbeatAnnotation,
  WellKnownName.fencedAtAnnotation,
  WellKnownName.fencedBootAnnotation,
  WellKnownName.fencedHeartbeatAnnotation,
  'smalt.dev/virt-handler-url',
  'smalt.dev/virt-handler-ca',
  ObjectName.disabledReasonAnnotation,
  SKIP_NODE_ANNOTATION,
  FleetName.aggregatesAnnotation,
  FleetName.customTraitsAnnotation,
];
/** Of others, some with names that look like ours. */
const THEIR_LABELS = {
  'kubernetes.io/hostname': 'hv1',
  'node-role.kubernetes.io/worker': '',
  'example.com/kubevirt.io': 'yes',
  'notkubevirt.io/schedulable': 'yes',
  'cpumanager-of-others': 'yes',
  'smalt.dev.example.com/rack': '7',
};
const THEIR_ANNOTATIONS = { 'example.com/owner': 'somebody', 'nova.openstack.cloud.sap/of-others': 'yes' };

it(
  'takes everything of ours from Nodes by the line of the page, and nothing of others',
  { timeout: 120_000 },
  async () => {
    const signal = AbortSignal.timeout(110_000);
    await using server = await startTestApiServer({ signal });
    await using directory = await mkdtempDisposable(join(tmpdir(), 'nodes-'));
    const { kubeconfig } = server;
    const config = await loadKubeConfig({ path: kubeconfig, environment: {} });
    await using admin = new KubeClient({ config, userAgent: 'test/1' });
    const nodes = admin.resource(nodeKind);
    const ours = {
      labels: { ...named(LABELS), ...THEIR_LABELS },
      annotations: { ...named(ANNOTATIONS), ...THEIR_ANNOTATIONS },
    };
    await nodes.create({ metadata: { name: 'hv1', ...ours } });
    await nodes.create({ metadata: { name: 'of-others', labels: THEIR_LABELS, annotations: THEIR_ANNOTATIONS } });
    const story = 'away from nodes';
    const reader = await PageReader.sitDown({
      story,
      directory: directory.path,
      kubeconfig,
      helm: '/nowhere',
      names: {},
    });

    await reader.follow('uninstall.md', 'xargs -r kubectl');

    const left = await nodes.list({ signal });
    expect(left.items.map(({ metadata: { name, labels, annotations } }) => ({ name, labels, annotations }))).toEqual([
      { name: 'hv1', labels: THEIR_LABELS, annotations: THEIR_ANNOTATIONS },
      { name: 'of-others', labels: THEIR_LABELS, annotations: THEIR_ANNOTATIONS },
    ]);
    expect(reader.left).toEqual([]);
  },
);

function named(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, 'true']));
}
