import type { Hypervisor } from '@smalt/fleet-api';

import { Age } from '../../../parts/age.tsx';
import type { Column } from '../../../parts/data-table/column.ts';
import { LinkTo } from '../../../parts/link-to.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { fractionOf, shareOf, systemOf, versionsOf } from '../host-facts.ts';
import { hostState } from '../host-state.ts';
import { ShareBar } from '../share-bar.tsx';

export const HOST_COLUMNS: readonly Column<Hypervisor>[] = [
  {
    id: 'name',
    label: 'Host',
    width: 'minmax(7rem, 1.5fr)',
    sortValue: ({ metadata }) => metadata.name,
    cell: ({ metadata }) => (
      <LinkTo to="/fleet/$host" params={{ host: metadata.name }}>
        {metadata.name}
      </LinkTo>
    ),
  },
  {
    id: 'state',
    label: 'State',
    width: 'minmax(7.5rem, 1fr)',
    sortValue: (host) => hostState(host).words,
    cell: (host) => <StatusBadge {...hostState(host)} />,
  },
  {
    id: 'instances',
    label: 'Machines',
    width: '5rem',
    isNumber: true,
    sortValue: ({ status }) => status?.numInstances ?? 0,
    cell: ({ status }) => status?.numInstances ?? 0,
  },
  {
    id: 'cpu',
    label: 'Processors given',
    width: 'minmax(8.5rem, 1fr)',
    sortValue: ({ status }) => fractionOf(shareOf(status, 'cpu')),
    cell: ({ status }) => <ShareBar resource="cpu" share={shareOf(status, 'cpu')} />,
  },
  {
    id: 'memory',
    label: 'Memory given',
    width: 'minmax(7.5rem, 1fr)',
    sortValue: ({ status }) => fractionOf(shareOf(status, 'memory')),
    cell: ({ status }) => <ShareBar resource="memory" share={shareOf(status, 'memory')} />,
  },
  {
    id: 'cells',
    label: 'NUMA cells',
    width: '6rem',
    isNumber: true,
    sortValue: ({ status }) => status?.cells?.length ?? 0,
    cell: ({ status }) => status?.cells?.length ?? '–',
  },
  {
    id: 'versions',
    label: 'Versions',
    width: 'minmax(8rem, 2fr)',
    sortValue: (host) => versionsOf(host).join(', '),
    cell: (host) => [...versionsOf(host), systemOf(host)].filter((text) => text !== '').join(', ') || '–',
  },
  {
    id: 'age',
    label: 'Age',
    width: '4rem',
    isNumber: true,
    sortValue: ({ metadata }) => -Date.parse(metadata.creationTimestamp ?? ''),
    cell: ({ metadata }) => <Age at={metadata.creationTimestamp} />,
  },
];
