import { Box, Tabs, Text } from '@mantine/core';
import { hypervisorKind, type Hypervisor } from '@smalt/fleet-api';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';

import { useMayAll } from '../../../api/use-may.ts';
import { useFollowedOne } from '../../../live/use-followed.ts';
import { FollowNote } from '../../../parts/follow-note.tsx';
import { LinkTo } from '../../../parts/link-to.tsx';
import { Note } from '../../../parts/note.tsx';
import { OfferedPart } from '../../../parts/offered-part.tsx';
import { Page } from '../../../parts/page.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { hostState, whyNotReady } from '../host-state.ts';
import { HostActions } from '../maintenance/host-actions.tsx';
import { HostEvents } from './host-events.tsx';
import { HostLog } from './host-log.tsx';
import { HostMachines } from './host-machines.tsx';
import { HostOverview } from './host-overview.tsx';
import { HOST_TABS, hostTabDeed, type HostTab } from './host-tab.ts';

const ROUTE = '/fleet/$host';

/** All about one host. */
export function HostPage(): ReactElement {
  const { host: name } = useParams({ from: ROUTE });
  const { state, object: host } = useFollowedOne(hypervisorKind, { name });
  return (
    <Page
      title={name}
      trail={<LinkTo to="/fleet">Fleet</LinkTo>}
      aside={host === undefined ? undefined : <StatusBadge {...hostState(host)} />}
      actions={host === undefined ? undefined : <HostActions host={host} />}
    >
      <FollowNote
        state={state}
        isEmpty={host === undefined}
        what={name}
        empty={<Text>There is no host with this name. It may have been taken out of the fleet.</Text>}
      />
      {host === undefined ? undefined : <HostTabs host={host} />}
    </Page>
  );
}

function HostTabs({ host }: { readonly host: Hypervisor }): ReactElement {
  const { tab = 'overview' } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const answers = useMayAll(HOST_TABS.map(({ name }) => hostTabDeed(name)));
  const offered = HOST_TABS.filter((_tab, index) => answers[index] === true);
  const why = whyNotReady(host);
  const open = (name: string | null): void => {
    const found = HOST_TABS.find((candidate) => candidate.name === name);
    if (found !== undefined)
      void navigate({ search: found.name === 'overview' ? {} : { tab: found.name }, replace: true });
  };
  return (
    <Tabs value={tab} onChange={open}>
      {why === undefined ? undefined : (
        <Box mb="md">
          <Note tone="warning" title="It takes no virtual machines now">
            {why}
          </Note>
        </Box>
      )}
      <Tabs.List mb="md" aria-label={`About ${host.metadata.name}`}>
        {offered.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab}>
        <OfferedPart deed={hostTabDeed(tab)}>
          <TabContent tab={tab} host={host} />
        </OfferedPart>
      </Tabs.Panel>
    </Tabs>
  );
}

function TabContent({ tab, host }: { readonly tab: HostTab; readonly host: Hypervisor }): ReactElement {
  const { name } = host.metadata;
  switch (tab) {
    case 'overview':
      return <HostOverview host={host} />;
    case 'machines':
      return <HostMachines host={name} />;
    case 'events':
      return <HostEvents host={name} />;
    case 'log':
      return <HostLog host={name} />;
  }
}
