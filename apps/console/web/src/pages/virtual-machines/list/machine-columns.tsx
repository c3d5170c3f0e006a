import { Age } from '../../../parts/age.tsx';
import type { Column } from '../../../parts/data-table/column.ts';
import { formatBytes } from '../../../parts/format-bytes.ts';
import { LinkTo } from '../../../parts/link-to.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { addressesOf, hostOf, memoryBytesOf, vcpusOf } from '../machine-facts.ts';
import { machineState } from '../machine-state.ts';
import type { Machine } from '../machine.ts';

export const MACHINE_COLUMNS: readonly Column<Machine>[] = [
  {
    id: 'name',
    label: 'Name',
    width: 'minmax(9rem, 2fr)',
    sortValue: ({ name }) => name,
    cell: ({ namespace, name }) => (
      <LinkTo to="/virtual-machines/$namespace/$name" params={{ namespace, name }}>
        {name}
      </LinkTo>
    ),
  },
  {
    id: 'namespace',
    label: 'Namespace',
    width: 'minmax(6rem, 1fr)',
    sortValue: ({ namespace }) => namespace,
    cell: ({ namespace }) => namespace,
  },
  {
    id: 'status',
    label: 'Status',
    width: 'minmax(9rem, 1.2fr)',
    sortValue: (machine) => machineState(machine).words,
    cell: (machine) => <StatusBadge {...machineState(machine)} />,
  },
  {
    id: 'host',
    label: 'Host',
    width: 'minmax(6rem, 1fr)',
    sortValue: hostOf,
    cell: (machine) => hostOf(machine) || '–',
  },
  {
    id: 'vcpus',
    label: 'vCPUs',
    width: '4rem',
    isNumber: true,
    sortValue: vcpusOf,
    cell: vcpusOf,
  },
  {
    id: 'memory',
    label: 'Memory',
    width: '5.5rem',
    isNumber: true,
    sortValue: memoryBytesOf,
    cell: (machine) => formatBytes(memoryBytesOf(machine)),
  },
  {
    id: 'address',
    label: 'Address',
    width: 'minmax(7rem, 1fr)',
    sortValue: (machine) => addressesOf(machine)[0] ?? '',
    cell: (machine) => addressesOf(machine)[0] ?? '–',
  },
  {
    id: 'age',
    label: 'Age',
    width: '4rem',
    isNumber: true,
    sortValue: (machine) => -Date.parse(createdAt(machine) ?? ''),
    cell: (machine) => <Age at={createdAt(machine)} />,
  },
];

function createdAt({ virtualMachine, instance }: Machine): string | undefined {
  return (virtualMachine ?? instance)?.metadata.creationTimestamp;
}
