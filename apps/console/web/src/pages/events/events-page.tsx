import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';

import { eventKind } from '../../api/core-kinds.ts';
import { useFollowed } from '../../live/use-followed.ts';
import { countWords } from '../../parts/count-words.ts';
import { EventTable } from '../../parts/event-table.tsx';
import { FollowNote } from '../../parts/follow-note.tsx';
import { Page } from '../../parts/page.tsx';
import { kindsOf, matchesEventFilters, type EventFilters } from './event-filters.ts';

/** What happened lately, to everything. */
export function EventsPage(): ReactElement {
  const filters = useSearch({ from: '/events' });
  const navigate = useNavigate({ from: '/events' });
  const { state, objects: events } = useFollowed(eventKind);
  const shown = useMemo(() => events.filter((event) => matchesEventFilters(event, filters)), [events, filters]);
  const count = countWords(shown.length, events.length, 'event');
  return (
    <Page title="Events">
      <Stack gap="sm">
        <EventFilterBar
          kinds={kindsOf(events)}
          filters={filters}
          onChange={(search) => void navigate({ search, replace: true })}
        />
        <FollowNote
          state={state}
          isEmpty={events.length === 0}
          what="events"
          empty={<Text>Nothing has happened lately. Events are kept for an hour.</Text>}
        />
        {events.length === 0 ? undefined : (
          <>
            <Text size="sm" c="dimmed" role="status">
              {count}
            </Text>
            <EventTable events={shown} showsObject />
          </>
        )}
      </Stack>
    </Page>
  );
}

interface EventFilterBarProps {
  readonly kinds: readonly string[];
  readonly filters: EventFilters;
  readonly onChange: (filters: EventFilters) => void;
}

function EventFilterBar({ kinds, filters, onChange }: EventFilterBarProps): ReactElement {
  const change = (name: keyof EventFilters, value: string | null): void => {
    const { [name]: _, ...rest } = filters;
    onChange(value === null || value === '' ? rest : { ...rest, [name]: value });
  };
  const choices = [
    { name: 'type', label: 'Type', values: ['Normal', 'Warning'] },
    { name: 'kind', label: 'Kind', values: kinds },
  ] as const;
  return (
    <Group gap="xs" role="search" aria-label="Narrow the list">
      <TextInput
        aria-label="Filter by text"
        placeholder="Object, reason or message"
        w="15rem"
        value={filters.text ?? ''}
        onChange={(event) => change('text', event.currentTarget.value)}
      />
      {choices.map(({ name, label, values }) => (
        <Select
          key={name}
          aria-label={label}
          placeholder={label}
          clearable
          w="12rem"
          data={[...values]}
          value={filters[name] ?? null}
          onChange={(value) => change(name, value)}
        />
      ))}
    </Group>
  );
}
