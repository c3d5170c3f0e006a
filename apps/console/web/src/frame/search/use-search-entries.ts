import { hypervisorKind, type Hypervisor } from '@smalt/fleet-api';
import type { KubernetesObject } from '@smalt/kubernetes';
import { ovsNodeKind } from '@smalt/ovs-api';
import { virtualMachineInstanceMigrationKind, virtualMachineKind } from '@smalt/vm-api';
import { useMemo } from 'react';

import { useHasHighAvailability } from '../../api/use-session.ts';
import { HIGH_AVAILABILITY_CHANGES } from '../../live/follow-query.ts';
import { useFollowed, useFollowedQuery } from '../../live/use-followed.ts';
import type { SearchEntry } from './find-hits.ts';

const SECTIONS: readonly SearchEntry[] = [
  { sort: 'Page', name: 'Fleet', detail: '', href: '/fleet' },
  { sort: 'Page', name: 'Virtual machines', detail: '', href: '/virtual-machines' },
  { sort: 'Page', name: 'Create a virtual machine', detail: '', href: '/virtual-machines/new' },
  { sort: 'Page', name: 'Network', detail: '', href: '/network' },
  { sort: 'Page', name: 'High availability', detail: '', href: '/high-availability' },
  { sort: 'Page', name: 'Events', detail: '', href: '/events' },
  { sort: 'Page', name: 'Audit', detail: '', href: '/audit' },
  { sort: 'Page', name: 'Keyboard shortcuts', detail: '', href: '/keys' },
];

/** Everything there is, live, as long as somebody searches. */
export function useSearchEntries(): readonly SearchEntry[] {
  const { objects: hosts } = useFollowed(hypervisorKind);
  const { objects: machines } = useFollowed(virtualMachineKind);
  const { objects: migrations } = useFollowed(virtualMachineInstanceMigrationKind);
  const { objects: switches } = useFollowed(ovsNodeKind);
  const { byKey } = useFollowedQuery(useHasHighAvailability() ? HIGH_AVAILABILITY_CHANGES : undefined);
  return useMemo(
    () => [
      ...SECTIONS,
      ...hosts.map(hostEntry),
      ...machines.map(({ metadata }) => ({
        sort: 'Virtual machine',
        name: metadata.name,
        detail: metadata.namespace ?? '',
        href: machineHref(metadata.namespace ?? '', metadata.name),
      })),
      ...migrations.map(({ metadata, spec }) => ({
        sort: 'Migration',
        name: metadata.name,
        detail: `of ${spec.vmiName ?? ''} in ${metadata.namespace ?? ''}`,
        href: machineHref(metadata.namespace ?? '', spec.vmiName ?? ''),
      })),
      ...switches.map(({ metadata }) => ({
        sort: 'Switch',
        name: metadata.name,
        detail: metadata.namespace ?? '',
        href: `/network/${encodeURIComponent(metadata.namespace ?? '')}/${encodeURIComponent(metadata.name)}`,
      })),
      ...[...byKey.values()].filter(({ kind }) => kind === 'Incident').map(incidentEntry),
    ],
    [hosts, machines, migrations, switches, byKey],
  );
}

function hostEntry({ metadata }: Hypervisor): SearchEntry {
  return { sort: 'Host', name: metadata.name, detail: '', href: `/fleet/${encodeURIComponent(metadata.name)}` };
}

function machineHref(namespace: string, name: string): string {
  return `/virtual-machines/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
}

function incidentEntry({ metadata }: KubernetesObject): SearchEntry {
  const href = `/high-availability/incidents/${encodeURIComponent(metadata.name)}`;
  return { sort: 'Incident', name: metadata.name, detail: '', href };
}
