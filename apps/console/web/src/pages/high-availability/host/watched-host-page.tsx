import { Button, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState, type ReactElement } from 'react';

import { messageOf } from '../../../api/api-error.ts';
import { useMay } from '../../../api/use-may.ts';
import { useAct } from '../../../frame/notices/use-act.ts';
import { FollowNote } from '../../../parts/follow-note.tsx';
import { LinkTo } from '../../../parts/link-to.tsx';
import { Note } from '../../../parts/note.tsx';
import { Page } from '../../../parts/page.tsx';
import { Section } from '../../../parts/section.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { useServices } from '../../../services.ts';
import type { WatchedHost } from '../fleet-objects.ts';
import { IncidentTable } from '../incident/incident-table.tsx';
import { JournalTable } from '../journal-table.tsx';
import { OPERATE, useWatchedFleet } from '../use-watched-fleet.ts';
import { judgementWords } from '../words.ts';
import { HostJudgement } from './host-judgement.tsx';
import { readHistory, type HostHistory } from './signal-strip.ts';
import { SignalStrips } from './signal-strips.tsx';

/** What the HA service has heard of a host, what it thinks of it, and what it did for it. */
export function WatchedHostPage(): ReactElement {
  const { host: name } = useParams({ from: '/high-availability/hosts/$host' });
  const { hosts, incidents, journal, state } = useWatchedFleet();
  const host = hosts.find((candidate) => candidate.name === name);
  return (
    <Page
      title={name}
      trail={<LinkTo to="/high-availability">High availability</LinkTo>}
      aside={host === undefined ? undefined : <StatusBadge {...judgementWords(host.judgement)} />}
      actions={host === undefined ? undefined : <WatchSwitch host={host} />}
    >
      <FollowNote
        state={state}
        isEmpty={host === undefined}
        what={name}
        empty={<Text>The HA service does not know this host.</Text>}
      />
      {host === undefined ? undefined : (
        <Stack>
          <HostJudgement host={host} />
          <Section title="Signals over time">
            <Signals host={host} />
          </Section>
          <Section title="Incidents">
            <IncidentTable incidents={incidents.filter((incident) => incident.host === name)} />
          </Section>
          <Section title="Journal">
            <JournalTable lines={journal.filter((line) => line.host === name)} />
          </Section>
        </Stack>
      )}
    </Page>
  );
}

// The past is read again when the service tells that something about the host has changed.
function Signals({ host }: { readonly host: WatchedHost }): ReactElement {
  const { api } = useServices();
  const [history, setHistory] = useState<HostHistory>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    const read = async (): Promise<void> => {
      try {
        setHistory(
          readHistory(await api.call('GET', `/ha/v1/hosts/${encodeURIComponent(host.name)}/history`, { signal })),
        );
        setFailure(undefined);
      } catch (error) {
        // What was known stays; the next change reads it again.
        if (!signal.aborted) setFailure(messageOf(error));
      }
    };
    void read();
    return () => gone.abort();
  }, [api, host]);
  return (
    <>
      {failure === undefined ? undefined : (
        <Note tone="warning" title="The past was not read" role="status">
          {failure}
        </Note>
      )}
      {history === undefined ? undefined : <SignalStrips history={history} />}
    </>
  );
}

function WatchSwitch({ host }: { readonly host: WatchedHost }): ReactElement | undefined {
  const { name, isSwitchedOn } = host;
  const { api } = useServices();
  const { act, isActing } = useAct();
  const mayOperate = useMay(OPERATE);
  if (!mayOperate || isSwitchedOn === null) return undefined;
  const flip = (): Promise<boolean> =>
    act(
      isSwitchedOn
        ? { done: `${name} is no longer guarded`, failed: `${name} is still guarded` }
        : { done: `${name} is guarded`, failed: `${name} is not guarded` },
      () => api.call('POST', `/ha/hypervisors/${encodeURIComponent(name)}`, { body: { enabled: !isSwitchedOn } }),
    );
  return (
    <Button variant="default" loading={isActing} onClick={() => void flip()}>
      {isSwitchedOn ? 'Guard it no longer' : 'Guard it'}
    </Button>
  );
}
