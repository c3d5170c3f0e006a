import { Stack, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';

import { eventKind } from '../../api/core-kinds.ts';
import { useFollowed } from '../../live/use-followed.ts';
import { countWords } from '../../parts/count-words.ts';
import { EventTable } from '../../parts/event-table.tsx';
import { FilterBar } from '../../parts/filters/filter-bar.tsx';
import { FollowNote } from '../../parts/follow-note.tsx';
import { Page } from '../../parts/page.tsx';
import { kindsOf, matchesEventFilters } from './event-filters.ts';

/** What happened lately, to everything. */
export function EventsPage(): ReactElement {
  const filters = useSearch({ from: '/events' });
  const { text, type, kind } = filters;
  const { state, objects: events } = useFollowed(eventKind);
  const shown = useMemo(() => events.filter((event) => matchesEventFilters(event, filters)), [events, filters]);
  const count = countWords(shown.length, events.length, 'event');
  const choices = [
    { word: 'type', label: 'Type', chosen: type, values: ['Normal', 'Warning'] },
    { word: 'kind', label: 'Kind', chosen: kind, values: kindsOf(events) },
  ];
  return (
    <Page title="Events">
      <Stack gap="sm">
        <FilterBar text={text} placeholder="Object, reason or message" choices={choices} />
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
