import { Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';

import { Age } from '../../../parts/age.tsx';
import { FollowNote } from '../../../parts/follow-note.tsx';
import { KeyValues } from '../../../parts/key-values.tsx';
import { LinkTo } from '../../../parts/link-to.tsx';
import { Note } from '../../../parts/note.tsx';
import { Page } from '../../../parts/page.tsx';
import { Section } from '../../../parts/section.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import type { Incident, JournalEntry } from '../fleet-objects.ts';
import { useWatchedFleet } from '../use-watched-fleet.ts';
import { incidentWords, rebuildWords } from '../words.ts';
import { IncidentActions } from './incident-actions.tsx';
import { incidentTimeline } from './incident-timeline.ts';
import { Timeline } from './timeline.tsx';

/** The story of one lost host. */
export function IncidentPage(): ReactElement {
  const { incident: id } = useParams({ from: '/high-availability/incidents/$incident' });
  const { incidents, hosts, journal, state } = useWatchedFleet();
  const incident = incidents.find((candidate) => candidate.id === id);
  const isHeld = hosts.some(({ heldBy }) => heldBy === id);
  return (
    <Page
      title={incident === undefined ? id : `${incident.host} was lost`}
      trail={<LinkTo to="/high-availability">High availability</LinkTo>}
      aside={incident === undefined ? undefined : <StatusBadge {...incidentWords(incident)} />}
      actions={incident === undefined ? undefined : <IncidentActions incident={incident} isHeld={isHeld} />}
    >
      <FollowNote
        state={state}
        isEmpty={incident === undefined}
        what={id}
        empty={<Text>There is no such incident among the newest ones.</Text>}
      />
      {incident === undefined ? undefined : <Story incident={incident} journal={journal} />}
    </Page>
  );
}

function Story({
  incident,
  journal,
}: {
  readonly incident: Incident;
  readonly journal: readonly JournalEntry[];
}): ReactElement {
  const steps = useMemo(() => incidentTimeline(incident, journal), [incident, journal]);
  const { id, host, openedAt, closedAt, wait, outcome, instances } = incident;
  return (
    <Stack>
      {wait === null ? undefined : (
        <Note tone={incident.needsPerson ? 'bad' : 'warning'} title="What it waits for" role="status">
          {wait.message ?? wait.reason}
        </Note>
      )}
      <Section title="Facts">
        <KeyValues
          entries={[
            { name: 'Incident', value: id },
            {
              name: 'Host',
              value: (
                <LinkTo to="/high-availability/hosts/$host" params={{ host }}>
                  {host}
                </LinkTo>
              ),
            },
            { name: 'Machines', value: rebuildWords(instances) },
            { name: 'Opened', value: <Age at={openedAt} /> },
            { name: 'Over', value: closedAt === null ? 'not yet' : <Age at={closedAt} /> },
            { name: 'Outcome', value: outcome ?? undefined },
          ]}
        />
      </Section>
      <Section title="What happened, and why">
        <Timeline steps={steps} />
      </Section>
    </Stack>
  );
}
