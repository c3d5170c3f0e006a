import { Button, Group, Stack, Text } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo, useState, type ReactElement } from 'react';

import { useMay } from '../../../api/use-may.ts';
import { countWords } from '../../../parts/count-words.ts';
import { DataTable } from '../../../parts/data-table/data-table.tsx';
import { useChangeFilter } from '../../../parts/filters/use-change-filter.ts';
import { FollowNote } from '../../../parts/follow-note.tsx';
import { NamespaceChooser } from '../../../parts/namespace-chooser.tsx';
import { Page } from '../../../parts/page.tsx';
import type { Machine } from '../machine.ts';
import { useMachines } from '../use-machines.ts';
import { BulkActions } from './bulk-actions.tsx';
import { MACHINE_COLUMNS } from './machine-columns.tsx';
import { MachineFilterBar } from './machine-filter-bar.tsx';
import { matchesFilters } from './machine-filters.ts';

/** All virtual machines that the user may see. */
export function MachinesPage(): ReactElement {
  const filters = useSearch({ from: '/virtual-machines' });
  const change = useChangeFilter();
  // Who may not see all namespaces may see one: then that one alone is followed.
  const all = useMachines(undefined);
  const isRefused = all.state.kind === 'refused';
  const one = useMachines(isRefused ? filters.namespace : undefined);
  const { state, machines } = isRefused && filters.namespace !== undefined ? one : all;
  const mayCreate = useMay({
    verb: 'create',
    group: 'kubevirt.io',
    resource: 'virtualmachines',
    namespace: filters.namespace,
  });
  const shown = useMemo(() => machines.filter((machine) => matchesFilters(machine, filters)), [machines, filters]);
  return (
    <Page
      title="Virtual machines"
      actions={
        mayCreate ? (
          <Button renderRoot={(props) => <Link to="/virtual-machines/new" {...props} />}>Create</Button>
        ) : undefined
      }
    >
      <Stack gap="sm">
        <MachineFilterBar machines={machines} filters={filters} />
        <FollowNote
          state={state}
          isEmpty={machines.length === 0}
          what="virtual machines"
          empty={<Text>There are no virtual machines yet. Create one, or apply a manifest with kubectl.</Text>}
          refused={<NamespaceChooser onChoose={(namespace) => change('namespace', namespace)} />}
        />
        {machines.length === 0 ? undefined : <MachinesTable shown={shown} total={machines.length} />}
      </Stack>
    </Page>
  );
}

function MachinesTable({ shown, total }: { readonly shown: readonly Machine[]; readonly total: number }): ReactElement {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const selected = shown.filter(({ key }) => keys.has(key));
  return (
    <>
      <Group gap="md" mih="1.9rem">
        <Text size="sm" c="dimmed" role="status">
          {countWords(shown.length, total, 'machine')}
        </Text>
        {selected.length === 0 ? undefined : <BulkActions machines={selected} />}
      </Group>
      <DataTable
        label="Virtual machines"
        rows={shown}
        columns={MACHINE_COLUMNS}
        rowKey={machineKey}
        href={machineHref}
        initialSorting={{ columnId: 'name', isDescending: false }}
        selection={{ keys, onChange: setKeys }}
      />
    </>
  );
}

function machineKey({ key }: Machine): string {
  return key;
}

function machineHref({ namespace, name }: Machine): string {
  return `/virtual-machines/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
}
