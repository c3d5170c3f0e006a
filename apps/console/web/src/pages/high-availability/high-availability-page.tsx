import { Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';

import { DataTable } from '../../parts/data-table/data-table.tsx';
import { FollowNote } from '../../parts/follow-note.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import type { WatchedHost } from './fleet-objects.ts';
import { HOST_COLUMNS } from './host/host-columns.tsx';
import { IncidentTable } from './incident/incident-table.tsx';
import { JournalTable } from './journal-table.tsx';
import { NoService } from './no-service.tsx';
import { ServiceSection } from './service/service-section.tsx';
import { useWatchedFleet } from './use-watched-fleet.ts';

/** What the HA service watches over, what it did, and whether it would act. */
export function HighAvailabilityPage(): ReactElement {
  const { hasService, state, status, hosts, incidents, journal } = useWatchedFleet();
  if (!hasService) {
    return (
      <Page title="High availability">
        <NoService />
      </Page>
    );
  }
  return (
    <Page title="High availability">
      <Stack>
        <FollowNote
          state={state}
          isEmpty={status === undefined}
          what="hosts"
          empty={<Text>The HA service has not said anything yet.</Text>}
        />
        {status === undefined ? undefined : (
          <>
            <ServiceSection status={status} />
            <Section title="Incidents">
              <IncidentTable incidents={incidents} />
            </Section>
            <Section title="Hosts">
              {hosts.length === 0 ? (
                <Text c="dimmed">It does not know a host yet.</Text>
              ) : (
                <DataTable label="Hosts" rows={hosts} columns={HOST_COLUMNS} rowKey={hostKey} href={hostHref} />
              )}
            </Section>
            <Section title="Journal">
              <JournalTable lines={journal} />
            </Section>
          </>
        )}
      </Stack>
    </Page>
  );
}

function hostKey({ name }: WatchedHost): string {
  return name;
}

function hostHref({ name }: WatchedHost): string {
  return `/high-availability/hosts/${encodeURIComponent(name)}`;
}
