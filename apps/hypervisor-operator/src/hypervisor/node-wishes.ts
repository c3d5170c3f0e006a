import { WellKnownName, type HypervisorSpec } from '@smalt/fleet-api';

import type { ClusterNode } from '../nodes/cluster-node.ts';

const ZONE_LABEL = 'topology.kubernetes.io/zone';
const SKIP_TESTS = 'skip-tests';

/** What a node says about its hypervisor. What it does not mention is left out. */
export interface NodeWishes {
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: Partial<Pick<HypervisorSpec, 'aggregates' | 'customTraits' | 'lifecycleEnabled' | 'skipTests'>>;
}

/** Whether a node runs virtual machines for the compute system. */
export function isHypervisorNode({ metadata }: ClusterNode): boolean {
  return metadata.labels?.[WellKnownName.virtDriverLabel] !== undefined;
}

/** Reads labels and annotations of a node. */
export function nodeWishes({ metadata }: ClusterNode, transferLabels: readonly string[]): NodeWishes {
  const { labels = {}, annotations = {} } = metadata;
  const lifecycle = labels[WellKnownName.lifecycleLabel];
  const aggregates = annotations[WellKnownName.aggregatesAnnotation];
  const customTraits = annotations[WellKnownName.customTraitsAnnotation];
  return {
    labels: Object.fromEntries(
      transferLabels.flatMap((key) => {
        const value = labels[key];
        return value === undefined ? [] : [[key, value]];
      }),
    ),
    spec: {
      ...(lifecycle !== undefined && { lifecycleEnabled: true, skipTests: lifecycle === SKIP_TESTS }),
      ...(aggregates !== undefined && { aggregates: listOf(aggregates, labels[ZONE_LABEL]) }),
      ...(customTraits !== undefined && { customTraits: listOf(customTraits) }),
    },
  };
}

function listOf(text: string, ...more: readonly (string | undefined)[]): readonly string[] {
  const items = [...text.split(','), ...more].flatMap((item) => item?.trim() ?? []).filter((item) => item !== '');
  return [...new Set(items)];
}
