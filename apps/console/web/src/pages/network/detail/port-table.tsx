import { Stack, Text, TextInput } from '@mantine/core';
import { useMemo, useState, type ReactElement } from 'react';

import { countWords } from '../../../parts/count-words.ts';
import type { Column } from '../../../parts/data-table/column.ts';
import { DataTable } from '../../../parts/data-table/data-table.tsx';
import { matchesText } from '../../../parts/data-table/matches-text.ts';
import { Note } from '../../../parts/note.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import type { TopologyAnswer } from '../topology/use-topology.ts';
import { portRows, type PortRow } from './port-rows.ts';

const COLUMNS: readonly Column<PortRow>[] = [
  {
    id: 'name',
    label: 'Interface',
    width: 'minmax(9rem, 1.5fr)',
    sortValue: ({ name }) => name,
    cell: ({ name }) => name,
  },
  {
    id: 'bridge',
    label: 'Bridge',
    width: 'minmax(7rem, 1fr)',
    sortValue: ({ bridge }) => bridge,
    cell: ({ bridge }) => bridge,
  },
  { id: 'kind', label: 'Kind', width: 'minmax(8rem, 1fr)', sortValue: ({ kind }) => kind, cell: ({ kind }) => kind },
  {
    id: 'state',
    label: 'State',
    width: 'minmax(9rem, 1.2fr)',
    sortValue: ({ state }) => state.words,
    cell: ({ state }) => <StatusBadge {...state} />,
  },
  {
    id: 'number',
    label: 'Number',
    width: '5rem',
    isNumber: true,
    sortValue: ({ number = -1 }) => number,
    cell: ({ number }) => number ?? '–',
  },
  {
    id: 'leads-to',
    label: 'Leads to',
    width: 'minmax(10rem, 2fr)',
    sortValue: ({ leadsTo }) => leadsTo,
    cell: ({ leadsTo }) => leadsTo || '–',
  },
];

/** Everything that is plugged in, as a table: the same as the picture, for those who do not see it and for searching. */
export function PortTable({ answer: { topology, failure } }: { readonly answer: TopologyAnswer }): ReactElement {
  const [text, setText] = useState('');
  const rows = useMemo(() => (topology === undefined ? [] : portRows(topology)), [topology]);
  const shown = useMemo(
    () => rows.filter(({ name, bridge, port, leadsTo }) => matchesText(text, `${name} ${bridge} ${port} ${leadsTo}`)),
    [rows, text],
  );
  return (
    <Stack gap="sm">
      {failure === undefined ? undefined : (
        <Note tone="warning" title="The switch was not read" role="status">
          {failure}
        </Note>
      )}
      <TextInput
        aria-label="Filter by text"
        placeholder="Interface, bridge or where it leads"
        maw="24rem"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Text size="sm" c="dimmed" role="status">
        {countWords(shown.length, rows.length, 'interface')}
      </Text>
      {shown.length === 0 ? undefined : (
        <DataTable
          label="Interfaces"
          rows={shown}
          columns={COLUMNS}
          rowKey={rowKey}
          initialSorting={{ columnId: 'bridge', isDescending: false }}
        />
      )}
    </Stack>
  );
}

function rowKey({ key }: PortRow): string {
  return key;
}
