import { Stack, Text } from '@mantine/core';
import { hypervisorKind, type Hypervisor } from '@smalt/fleet-api';
import { useSearch } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';

import { useFollowed } from '../../../live/use-followed.ts';
import { countWords } from '../../../parts/count-words.ts';
import { DataTable } from '../../../parts/data-table/data-table.tsx';
import { FilterBar } from '../../../parts/filters/filter-bar.tsx';
import { FollowNote } from '../../../parts/follow-note.tsx';
import { Page } from '../../../parts/page.tsx';
import { HOST_COLUMNS } from './host-columns.tsx';
import { hostStates, matchesHostFilters } from './host-filters.ts';

/** All hosts of the fleet. */
export function HostsPage(): ReactElement {
  const filters = useSearch({ from: '/fleet' });
  const { state, objects: hosts } = useFollowed(hypervisorKind);
  const shown = useMemo(() => hosts.filter((host) => matchesHostFilters(host, filters)), [hosts, filters]);
  const count = countWords(shown.length, hosts.length, 'host');
  const choices = [{ word: 'state', label: 'State', chosen: filters.state, values: hostStates(hosts) }];
  return (
    <Page title="Fleet">
      <Stack gap="sm">
        <FilterBar text={filters.text} placeholder="Name, address or version" choices={choices} />
        <FollowNote
          state={state}
          isEmpty={hosts.length === 0}
          what="hosts"
          empty={<Text>There are no hosts yet. A host appears here when its node agent has joined.</Text>}
        />
        {hosts.length === 0 ? undefined : (
          <>
            <Text size="sm" c="dimmed" role="status">
              {count}
            </Text>
            <DataTable
              label="Hosts"
              rows={shown}
              columns={HOST_COLUMNS}
              rowKey={hostKey}
              href={hostHref}
              initialSorting={{ columnId: 'name', isDescending: false }}
            />
          </>
        )}
      </Stack>
    </Page>
  );
}

function hostKey({ metadata }: Hypervisor): string {
  return metadata.name;
}

function hostHref({ metadata }: Hypervisor): string {
  return `/fleet/${encodeURIComponent(metadata.name)}`;
}
