import { Text } from '@mantine/core';
import { useMemo, type ReactElement } from 'react';

import { eventKind } from '../../../api/core-kinds.ts';
import { useFollowed } from '../../../live/use-followed.ts';
import { EventTable } from '../../../parts/event-table.tsx';
import { FollowNote } from '../../../parts/follow-note.tsx';
import type { Machine } from '../machine.ts';
import { isAbout } from './is-about.ts';

/** What happened to a machine, to what runs of it, to its migrations and launchers. */
export function MachineEvents({ machine }: { readonly machine: Machine }): ReactElement {
  const { state, objects } = useFollowed(eventKind, { namespace: machine.namespace });
  const events = useMemo(() => objects.filter((event) => isAbout(event, machine.name)), [objects, machine.name]);
  return (
    <>
      <FollowNote
        state={state}
        isEmpty={events.length === 0}
        what="events"
        empty={<Text>Nothing has happened to it lately.</Text>}
      />
      {events.length === 0 ? undefined : <EventTable events={events} showsObject />}
    </>
  );
}
