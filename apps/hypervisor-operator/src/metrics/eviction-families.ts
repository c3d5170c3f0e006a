import type { Eviction } from '@smalt/fleet-api';

import { conditionValues } from './condition-values.ts';
import { placeOf } from './hypervisor-families.ts';
import { presentLabels } from './present-labels.ts';
import type { ScrapedFamily } from './scraped-family.ts';

const INSTANCE_STATES = ['moved', 'moving', 'left', 'failed'] as const;

export function evictionLabels({ metadata, spec }: Eviction): string {
  return presentLabels({ name: metadata.name, hypervisor: spec?.hypervisor, ...placeOf(metadata.labels) });
}

/** The metrics of an eviction. The names with `kube_customresource` are those that dashboards already know. */
export const evictionFamilies: readonly ScrapedFamily<Eviction>[] = [
  {
    name: 'kube_customresource_eviction_info',
    help: 'Why a hypervisor is emptied. Always 1.',
    valuesOf: ({ spec }) => [{ labels: presentLabels({ reason: spec?.reason }), value: 1 }],
  },
  {
    name: 'kube_customresource_eviction_outstanding_ram_mb',
    help: 'The memory of the instances that are still to move, in MiB.',
    valuesOf: ({ status }) => [{ value: status?.outstandingRamMb ?? 0 }],
  },
  {
    name: 'kube_customresource_eviction_condition',
    help: 'Its conditions: 1 for True, 0 for all else, which the label status tells apart.',
    valuesOf: ({ status }) => conditionValues(status?.conditions),
  },
  {
    name: 'smalt_eviction_instances',
    help: 'How many instances have moved, are moving, are left or could not be moved.',
    valuesOf: ({ status }) =>
      INSTANCE_STATES.flatMap((state) => {
        const value = status?.progress?.[state];
        return value === undefined ? [] : [{ labels: presentLabels({ state }), value }];
      }),
  },
  {
    name: 'smalt_eviction_mib_per_second',
    help: 'How fast memory and disks are being sent, all moves together.',
    valuesOf: ({ status }) => known(status?.progress?.mibPerSecond),
  },
  {
    name: 'smalt_eviction_left_seconds',
    help: 'How long the rest will take at the present speed.',
    valuesOf: ({ status }) => known(status?.progress?.secondsLeft),
  },
];

function known(value: number | undefined): readonly { readonly value: number }[] {
  return value === undefined ? [] : [{ value }];
}
