import { Code, Stack, Switch, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';

import { useHasHighAvailability } from '../../api/use-session.ts';
import type { FollowState } from '../../live/followed.ts';
import { useFollowed } from '../../live/use-followed.ts';
import { countWords } from '../../parts/count-words.ts';
import { FilterBar } from '../../parts/filters/filter-bar.tsx';
import { useChangeFilter } from '../../parts/filters/use-change-filter.ts';
import { FollowNote } from '../../parts/follow-note.tsx';
import { LinkTo } from '../../parts/link-to.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { auditEventKind, type AuditEvent } from './audit-event.ts';
import { auditChoices, matchesAuditFilters, type AuditFilters } from './audit-filters.ts';
import { AuditTable } from './audit-table.tsx';

const OUTCOMES = ['done', 'refused', 'failed', 'begun'];

/** Who did what, as the API server has written it down. */
export function AuditPage(): ReactElement {
  const filters = useSearch({ from: '/audit' });
  const selection = filters.what === 'all' ? {} : { fieldSelector: 'deed=true' };
  const { state, objects: events } = useFollowed(auditEventKind, selection);
  const shown = useMemo(() => events.filter((event) => matchesAuditFilters(event, filters)), [events, filters]);
  if (isElsewhere(state)) return <AuditElsewhere />;
  return (
    <Page title="Audit">
      <Stack gap="sm">
        <AuditFilterBar events={events} filters={filters} />
        <FollowNote
          state={state}
          isEmpty={events.length === 0}
          what="the audit"
          empty={<Text>Nobody has changed anything since the audit log began.</Text>}
        />
        {events.length === 0 ? undefined : (
          <>
            <Text size="sm" c="dimmed" role="status">
              {countWords(shown.length, events.length, filters.what === 'all' ? 'request' : 'deed')}
            </Text>
            <AuditTable events={shown} />
          </>
        )}
        <WhereMoreIs />
      </Stack>
    </Page>
  );
}

/** A server that has no such kind keeps its audit log to itself. */
function isElsewhere(state: FollowState): boolean {
  return state.kind === 'refused' && state.status === 404;
}

function AuditElsewhere(): ReactElement {
  return (
    <Page title="Audit">
      <Note tone="quiet" title="This cluster keeps its audit log elsewhere">
        <Text size="sm">
          A Kubernetes API server tells nobody of its audit log. It writes it where its flags say:{' '}
          <Code>--audit-log-path</Code> names a file on the machines of the control plane,{' '}
          <Code>--audit-webhook-config-file</Code> a collector, and <Code>--audit-policy-file</Code> what is written at
          all; without these there is none. Where others run the control plane, look into their log service.
        </Text>
      </Note>
      <WhereMoreIs />
    </Page>
  );
}

function WhereMoreIs(): ReactElement {
  const hasService = useHasHighAvailability();
  return (
    <Text size="sm" c="dimmed">
      What happened by itself is among the <LinkTo to="/events">events</LinkTo>
      {hasService ? (
        <>
          ; what people said to the HA service is in its <LinkTo to="/high-availability">journal</LinkTo>
        </>
      ) : undefined}
      .
    </Text>
  );
}

interface AuditFilterBarProps {
  readonly events: readonly AuditEvent[];
  readonly filters: AuditFilters;
}

function AuditFilterBar({ events, filters }: AuditFilterBarProps): ReactElement {
  const { text, who, verb, outcome, what } = filters;
  const change = useChangeFilter();
  const { people, verbs } = useMemo(() => auditChoices(events), [events]);
  const choices = [
    { word: 'who', label: 'Who', chosen: who, values: people },
    { word: 'verb', label: 'Verb', chosen: verb, values: verbs },
    { word: 'outcome', label: 'Outcome', chosen: outcome, values: OUTCOMES },
  ];
  return (
    <FilterBar text={text} placeholder="Person, object or address" choices={choices}>
      <Switch
        label="Also what only reads"
        checked={what === 'all'}
        onChange={(event) => change('what', event.currentTarget.checked ? 'all' : undefined)}
      />
    </FilterBar>
  );
}
