import { Button, Progress, Stack, Text } from '@mantine/core';
import { evictionKind, type Eviction } from '@smalt/fleet-api';
import type { ReactElement } from 'react';

import { useMay } from '../../../api/use-may.ts';
import { useAct } from '../../../frame/notices/use-act.ts';
import { useFollowed } from '../../../live/use-followed.ts';
import { Age } from '../../../parts/age.tsx';
import type { Column } from '../../../parts/data-table/column.ts';
import { DataTable } from '../../../parts/data-table/data-table.tsx';
import { Section } from '../../../parts/section.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { useServices } from '../../../services.ts';
import { pictureEviction, type LeavingMachine } from './eviction-progress.ts';

const COLUMNS: readonly Column<LeavingMachine>[] = [
  { id: 'name', label: 'Machine', width: 'minmax(9rem, 1fr)', sortValue: ({ name }) => name, cell: ({ name }) => name },
  {
    id: 'state',
    label: 'State',
    width: 'minmax(10rem, 1fr)',
    sortValue: ({ words }) => words,
    cell: ({ tone, words }) => <StatusBadge tone={tone} words={words} />,
  },
  { id: 'message', label: 'What happened', width: 'minmax(10rem, 2fr)', cell: ({ message }) => message || '–' },
  { id: 'since', label: 'Since', width: '5rem', isNumber: true, cell: ({ since }) => <Age at={since} /> },
];

/** How far a host is emptied, with every machine that has to leave; nothing when nobody empties it. */
export function EvictionSection({ host }: { readonly host: string }): ReactElement {
  const { objects } = useFollowed(evictionKind);
  const here = objects.filter(({ spec }) => spec?.hypervisor === host);
  return (
    <>
      {here.map((eviction) => (
        <OneEviction key={eviction.metadata.name} eviction={eviction} />
      ))}
    </>
  );
}

function OneEviction({ eviction }: { readonly eviction: Eviction }): ReactElement {
  const { name } = eviction.metadata;
  const { fraction, words, isOver, machines } = pictureEviction(eviction);
  const { api } = useServices();
  const { act, isActing } = useAct();
  const mayStop = useMay({ verb: 'delete', group: 'kvm.cloud.sap', resource: 'evictions' });
  // What maintenance has ordered comes back as long as there is maintenance.
  const isOfMaintenance = eviction.metadata.ownerReferences?.some(({ kind }) => kind === 'Hypervisor') === true;
  const stop = (): Promise<boolean> =>
    act({ done: 'No more machines leave', failed: 'The eviction goes on' }, () => api.remove(evictionKind, { name }));
  return (
    <Section
      title={isOver ? 'Eviction, done' : 'Eviction'}
      actions={
        mayStop && !isOfMaintenance ? (
          <Button variant="default" loading={isActing} onClick={() => void stop()}>
            {isOver ? 'Clear away' : 'Stop'}
          </Button>
        ) : undefined
      }
    >
      <Stack gap="sm">
        <Text role="status">
          {words}. {eviction.spec?.reason}
        </Text>
        <Progress
          value={100 * fraction}
          animated={!isOver}
          transitionDuration={200}
          aria-label={`${Math.round(100 * fraction)} % have left`}
        />
        {machines.length === 0 ? undefined : (
          <DataTable label="Machines that have to leave" rows={machines} columns={COLUMNS} rowKey={machineKey} />
        )}
      </Stack>
    </Section>
  );
}

function machineKey({ id }: LeavingMachine): string {
  return id;
}
