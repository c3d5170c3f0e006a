import { createHash } from 'node:crypto';

import { WellKnownName } from '@smalt/fleet-api';
import type { Fields } from '@smalt/kube';

import type { WantedDependent } from '../dependents/apply-dependent.ts';
import type { ClusterNode } from '../nodes/cluster-node.ts';
import { nodeOwnerReference } from '../nodes/node-owner-reference.ts';
import type { Signal } from './decide-signal.ts';
import type { NodeLifecycleSettings } from './node-lifecycle-settings.ts';

const HOSTNAME_LABEL = 'kubernetes.io/hostname';
const CRITICAL_COMPONENT_LABEL = 'node.gardener.cloud/critical-component';
/** The upper bound of the value of a label. */
const LONGEST_LABEL = 63;

type SignalSettings = Pick<NodeLifecycleSettings, 'namespace' | 'image'>;

/** The name of what signals for a node, which is the value of its label too. */
export function signalName(nodeName: string): string {
  const name = `maint-${nodeName}`;
  if (name.length <= LONGEST_LABEL) return name;
  const digest = createHash('sha256').update(nodeName).digest('hex').slice(0, 10);
  // A letter or digit must stand before the dash.
  return `${name.slice(0, LONGEST_LABEL - 11).replace(/[^a-z0-9]+$/v, '')}-${digest}`;
}

/** Holds back the drain of a node as long as its signal pod must stay. */
export function signalBudget(node: ClusterNode, signal: Signal, { namespace }: SignalSettings): WantedDependent {
  const name = signalName(node.metadata.name);
  const spec = { minAvailable: signal.isHeld ? 1 : 0, selector: { matchLabels: labelsOf(name) } };
  return { name, namespace, fields: { metadata: metadataOf(node, name), spec } };
}

/** The signal pod: it gets ready when its node has been onboarded, and goes when the node may. */
export function signalDeployment(node: ClusterNode, signal: Signal, settings: SignalSettings): WantedDependent {
  const name = signalName(node.metadata.name);
  const labels = labelsOf(name);
  const spec = {
    replicas: signal.isHeld ? 1 : 0,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    selector: { matchLabels: labels },
    template: {
      metadata: { labels: { ...labels, [CRITICAL_COMPONENT_LABEL]: 'true' } },
      spec: podSpec(node, signal, settings),
    },
  };
  return { name, namespace: settings.namespace, fields: { metadata: metadataOf(node, name), spec } };
}

function podSpec(node: ClusterNode, { isOnboarded }: Signal, { image }: SignalSettings): Fields {
  return {
    hostNetwork: true,
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 1,
    ...placement(node),
    tolerations: [
      { effect: 'NoExecute', operator: 'Exists' },
      { effect: 'NoSchedule', operator: 'Exists' },
    ],
    containers: [
      {
        name: 'sleep',
        image,
        // A shell that only waits notices TERM at once; one that runs `sleep` in front would not.
        command: ['/bin/sh', '-c', "trap 'exit 0' TERM; while :; do sleep 3600 & wait $!; done"],
        startupProbe: {
          exec: { command: [isOnboarded ? '/bin/true' : '/bin/false'] },
          periodSeconds: 1,
          failureThreshold: 1,
          successThreshold: 1,
        },
      },
    ],
  };
}

function placement({ metadata: { name, labels } }: ClusterNode): Fields {
  const hostname = labels?.[HOSTNAME_LABEL];
  if (hostname !== undefined) return { nodeSelector: { [HOSTNAME_LABEL]: hostname } };
  const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] };
  return {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
  };
}

function labelsOf(name: string): Readonly<Record<string, string>> {
  return { [WellKnownName.maintenanceControllerLabel]: name };
}

function metadataOf(node: ClusterNode, name: string): Fields {
  return { labels: labelsOf(name), ownerReferences: [nodeOwnerReference(node)] };
}
