import { Text } from '@mantine/core';
import { useMemo, type ReactElement } from 'react';

import { eventKind, type EventObject } from '../../../api/core-kinds.ts';
import { useFollowed } from '../../../live/use-followed.ts';
import { EventTable } from '../../../parts/event-table.tsx';
import { FollowNote } from '../../../parts/follow-note.tsx';

const KINDS = ['Hypervisor', 'Node', 'Eviction', 'OVSNode'];

/** What happened to a host, its node, its switch, and what emptied it. */
export function HostEvents({ host }: { readonly host: string }): ReactElement {
  const { state, objects } = useFollowed(eventKind);
  const events = useMemo(() => objects.filter((event) => isAboutHost(event, host)), [objects, host]);
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

function isAboutHost({ involvedObject: { kind = '', name = '' } }: EventObject, host: string): boolean {
  return KINDS.includes(kind) && (name === host || (kind === 'Eviction' && name.includes(host)));
}
