import type { ReactElement } from 'react';

import { Age } from '../../parts/age.tsx';
import type { Column } from '../../parts/data-table/column.ts';
import { DataTable } from '../../parts/data-table/data-table.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { deedWords, objectWords, outcomeWords, whoWords, type AuditEvent } from './audit-event.ts';

const COLUMNS: readonly Column<AuditEvent>[] = [
  {
    id: 'when',
    label: 'When',
    width: '5rem',
    sortValue: ({ metadata }) => -Number(metadata.name),
    cell: ({ stageTimestamp }) => <Age at={stageTimestamp} />,
  },
  text('who', 'Who', 'minmax(10rem, 2fr)', whoWords),
  text('what', 'What', 'minmax(10rem, 2fr)', deedWords),
  text('object', 'To what', 'minmax(8rem, 1.5fr)', objectWords),
  {
    id: 'outcome',
    label: 'Outcome',
    width: 'minmax(8rem, 2fr)',
    sortValue: (event) => outcomeWords(event).words,
    cell: (event) => <StatusBadge {...outcomeWords(event)} title={outcomeWords(event).words} />,
  },
  text('from', 'From', 'minmax(7rem, 1fr)', ({ sourceIPs = [] }) => sourceIPs.join(', ')),
  text('by', 'By', 'minmax(8rem, 1fr)', ({ userAgent = '' }) => userAgent),
];

/** Who did what, the latest first. */
export function AuditTable({ events }: { readonly events: readonly AuditEvent[] }): ReactElement {
  return (
    <DataTable
      label="Audit"
      rows={events}
      columns={COLUMNS}
      rowKey={auditKey}
      initialSorting={{ columnId: 'when', isDescending: false }}
    />
  );
}

function text(id: string, label: string, width: string, of: (event: AuditEvent) => string): Column<AuditEvent> {
  return { id, label, width, sortValue: of, cell: (event) => <span title={of(event)}>{of(event) || '–'}</span> };
}

function auditKey({ metadata }: AuditEvent): string {
  return metadata.name;
}
