import { Text } from '@mantine/core';
import type { ReactElement } from 'react';

import { Age } from '../../parts/age.tsx';
import type { Column } from '../../parts/data-table/column.ts';
import { DataTable } from '../../parts/data-table/data-table.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import type { JournalEntry } from './fleet-objects.ts';

const TONES = { info: 'quiet', warning: 'warning', critical: 'bad' } as const;
const SEVERITIES = { info: 'For information', warning: 'Warning', critical: 'Critical' } as const;

const COLUMNS: readonly Column<JournalEntry>[] = [
  {
    id: 'at',
    label: 'When',
    width: '5rem',
    isNumber: true,
    sortValue: ({ at }) => -Date.parse(at),
    cell: ({ at }) => <Age at={at} />,
  },
  {
    id: 'severity',
    label: 'Weight',
    width: '9rem',
    sortValue: ({ severity }) => severity,
    cell: ({ severity }) => <StatusBadge tone={TONES[severity]} words={SEVERITIES[severity]} />,
  },
  {
    id: 'host',
    label: 'Host',
    width: 'minmax(6rem, 1fr)',
    sortValue: ({ host }) => host ?? '',
    cell: ({ host }) => host ?? '–',
  },
  {
    id: 'message',
    label: 'What happened',
    width: 'minmax(14rem, 4fr)',
    cell: ({ message }) => <span title={message}>{message}</span>,
  },
  {
    id: 'by',
    label: 'Who',
    width: 'minmax(6rem, 1fr)',
    sortValue: ({ by }) => by ?? '',
    cell: ({ by }) => by ?? 'the service',
  },
];

/** What was seen, decided, refused and done, by the service and by persons; the latest first. */
export function JournalTable({ lines }: { readonly lines: readonly JournalEntry[] }): ReactElement {
  if (lines.length === 0) return <Text c="dimmed">Nothing is written there yet.</Text>;
  return <DataTable label="Journal" rows={lines} columns={COLUMNS} rowKey={lineKey} />;
}

function lineKey({ id }: JournalEntry): string {
  return id;
}
