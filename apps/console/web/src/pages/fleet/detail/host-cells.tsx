import { Text } from '@mantine/core';
import type { Cell, Hypervisor } from '@smalt/fleet-api';
import type { ReactElement } from 'react';

import type { Column } from '../../../parts/data-table/column.ts';
import { DataTable } from '../../../parts/data-table/data-table.tsx';
import { Section } from '../../../parts/section.tsx';
import { shareOf, type ResourceName } from '../host-facts.ts';
import { ShareBar, shareWords } from '../share-bar.tsx';

const COLUMNS: readonly Column<Cell>[] = [
  { id: 'cell', label: 'Cell', width: '4rem', cell: ({ cellID }) => cellID },
  {
    id: 'cpu',
    label: 'Processors',
    width: 'minmax(10rem, 1fr)',
    cell: (cell) => <CellShare cell={cell} resource="cpu" />,
  },
  {
    id: 'memory',
    label: 'Memory',
    width: 'minmax(12rem, 1fr)',
    cell: (cell) => <CellShare cell={cell} resource="memory" />,
  },
];

/** What the NUMA cells of a host have, and what its guests were given of it. */
export function HostCells({ host }: { readonly host: Hypervisor }): ReactElement {
  const cells = host.status?.cells ?? [];
  return (
    <Section title="Capacity by NUMA cell">
      {cells.length === 0 ? (
        <Text c="dimmed">Its agent has told of no cells.</Text>
      ) : (
        <DataTable label={`NUMA cells of ${host.metadata.name}`} rows={cells} columns={COLUMNS} rowKey={cellKey} />
      )}
    </Section>
  );
}

function CellShare({ cell, resource }: { readonly cell: Cell; readonly resource: ResourceName }): ReactElement {
  const share = shareOf(cell, resource);
  return (
    <span>
      <ShareBar resource={resource} share={share} />
      {Number.isNaN(share.total) ? undefined : (
        <Text size="xs" c="dimmed" span>
          {shareWords(resource, share)} given
        </Text>
      )}
    </span>
  );
}

function cellKey({ cellID }: Cell): string {
  return String(cellID);
}
