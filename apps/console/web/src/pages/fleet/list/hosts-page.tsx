import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { hypervisorKind, type Hypervisor } from '@smalt/fleet-api';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';

import { useFollowed } from '../../../live/use-followed.ts';
import { countWords } from '../../../parts/count-words.ts';
import { DataTable } from '../../../parts/data-table/data-table.tsx';
import { FollowNote } from '../../../parts/follow-note.tsx';
import { Page } from '../../../parts/page.tsx';
import { HOST_COLUMNS } from './host-columns.tsx';
import { hostStates, matchesHostFilters, type HostFilters } from './host-filters.ts';

/** All hosts of the fleet. */
export function HostsPage(): ReactElement {
  const filters = useSearch({ from: '/fleet' });
  const navigate = useNavigate({ from: '/fleet' });
  const { state, objects: hosts } = useFollowed(hypervisorKind);
  const shown = useMemo(() => hosts.filter((host) => matchesHostFilters(host, filters)), [hosts, filters]);
  const count = countWords(shown.length, hosts.length, 'host');
  return (
    <Page title="Fleet">
      <Stack gap="sm">
        <HostFilterBar
          states={hostStates(hosts)}
          filters={filters}
          onChange={(search) => void navigate({ search, replace: true })}
        />
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

interface HostFilterBarProps {
  readonly states: readonly string[];
  readonly filters: HostFilters;
  readonly onChange: (filters: HostFilters) => void;
}

function HostFilterBar({ states, filters, onChange }: HostFilterBarProps): ReactElement {
  const { text = '', state } = filters;
  // What is chosen stays to be seen when no host is in that state any more.
  const choices = state === undefined || states.includes(state) ? states : [...states, state];
  const change = (changed: { readonly text: string; readonly state: string | undefined }): void =>
    onChange({
      ...(changed.text === '' ? {} : { text: changed.text }),
      ...(changed.state === undefined ? {} : { state: changed.state }),
    });
  return (
    <Group gap="xs" role="search" aria-label="Narrow the list">
      <TextInput
        aria-label="Filter by text"
        placeholder="Name, address or version"
        w="15rem"
        value={text}
        onChange={(event) => change({ text: event.currentTarget.value, state })}
      />
      <Select
        aria-label="State"
        placeholder="State"
        clearable
        w="12rem"
        data={[...choices]}
        value={state ?? null}
        onChange={(chosen) => change({ text, state: chosen ?? undefined })}
      />
    </Group>
  );
}

function hostKey({ metadata }: Hypervisor): string {
  return metadata.name;
}

function hostHref({ metadata }: Hypervisor): string {
  return `/fleet/${encodeURIComponent(metadata.name)}`;
}
