import { Text } from '@mantine/core';
import type { ReactElement } from 'react';

import { Age } from '../../../parts/age.tsx';
import type { Column } from '../../../parts/data-table/column.ts';
import { DataTable } from '../../../parts/data-table/data-table.tsx';
import { LinkTo } from '../../../parts/link-to.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import type { Incident } from '../fleet-objects.ts';
import { incidentWords, rebuildWords } from '../words.ts';

const COLUMNS: readonly Column<Incident>[] = [
  {
    id: 'id',
    label: 'Incident',
    width: 'minmax(9rem, 1fr)',
    sortValue: ({ id }) => id,
    cell: ({ id }) => (
      <LinkTo to="/high-availability/incidents/$incident" params={{ incident: id }}>
        {id}
      </LinkTo>
    ),
  },
  { id: 'host', label: 'Host', width: 'minmax(7rem, 1fr)', sortValue: ({ host }) => host, cell: ({ host }) => host },
  {
    id: 'state',
    label: 'State',
    width: 'minmax(12rem, 1.5fr)',
    sortValue: ({ state }) => state,
    cell: (incident) => <StatusBadge {...incidentWords(incident)} />,
  },
  {
    id: 'machines',
    label: 'Machines',
    width: 'minmax(9rem, 1fr)',
    cell: ({ instances }) => rebuildWords(instances),
  },
  {
    id: 'opened',
    label: 'Opened',
    width: '5rem',
    isNumber: true,
    sortValue: ({ openedAt }) => -Date.parse(openedAt),
    cell: ({ openedAt }) => <Age at={openedAt} />,
  },
];

/** Incidents, the newest first. */
export function IncidentTable({ incidents }: { readonly incidents: readonly Incident[] }): ReactElement {
  if (incidents.length === 0) return <Text c="dimmed">No host has been lost.</Text>;
  return <DataTable label="Incidents" rows={incidents} columns={COLUMNS} rowKey={incidentKey} href={incidentHref} />;
}

function incidentKey({ id }: Incident): string {
  return id;
}

function incidentHref({ id }: Incident): string {
  return `/high-availability/incidents/${encodeURIComponent(id)}`;
}
