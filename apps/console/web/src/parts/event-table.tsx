import type { ReactElement } from 'react';

import { eventCount, eventTime, type EventObject } from '../api/core-kinds.ts';
import { objectKey } from '../live/object-key.ts';
import { Age } from './age.tsx';
import type { Column } from './data-table/column.ts';
import { DataTable } from './data-table/data-table.tsx';
import { StatusBadge } from './status-badge.tsx';

const OBJECT: Column<EventObject> = {
  id: 'object',
  label: 'Object',
  width: 'minmax(10rem, 1.2fr)',
  sortValue: objectWords,
  cell: (event) => <span title={objectWords(event)}>{objectWords(event)}</span>,
};

const OF_ONE: readonly Column<EventObject>[] = [
  {
    id: 'age',
    label: 'Last seen',
    width: '6.5rem',
    sortValue: (event) => -Date.parse(eventTime(event)),
    cell: (event) => <Age at={eventTime(event)} />,
  },
  {
    id: 'type',
    label: 'Type',
    width: '6rem',
    sortValue: ({ type = '' }) => type,
    cell: ({ type }) => <StatusBadge tone={type === 'Warning' ? 'warning' : 'quiet'} words={type ?? 'Normal'} />,
  },
  {
    id: 'reason',
    label: 'Reason',
    width: 'minmax(8rem, 1fr)',
    sortValue: ({ reason = '' }) => reason,
    cell: ({ reason }) => reason ?? '–',
  },
  {
    id: 'message',
    label: 'Message',
    width: 'minmax(12rem, 3fr)',
    cell: ({ message = '' }) => <span title={message}>{message}</span>,
  },
  {
    id: 'count',
    label: 'Times',
    width: '4rem',
    isNumber: true,
    sortValue: eventCount,
    cell: eventCount,
  },
];

const OF_ALL: readonly Column<EventObject>[] = [...OF_ONE.slice(0, 2), OBJECT, ...OF_ONE.slice(2)];

export interface EventTableProps {
  readonly events: readonly EventObject[];
  /** Whether events of several objects are shown. */
  readonly showsObject?: boolean;
}

/** Events, the latest first. */
export function EventTable({ events, showsObject = false }: EventTableProps): ReactElement {
  return (
    <DataTable
      label="Events"
      rows={events}
      columns={showsObject ? OF_ALL : OF_ONE}
      rowKey={eventKey}
      initialSorting={{ columnId: 'age', isDescending: false }}
    />
  );
}

function eventKey({ metadata }: EventObject): string {
  return objectKey(metadata);
}

function objectWords({ involvedObject: { kind = '', namespace, name = '' } }: EventObject): string {
  return `${kind} ${objectKey({ namespace, name })}`;
}
