import { Code, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';

import { useHasHighAvailability } from '../../api/use-session.ts';
import type { FollowState } from '../../live/followed.ts';
import { useFollowed } from '../../live/use-followed.ts';
import { countWords } from '../../parts/count-words.ts';
import { FollowNote } from '../../parts/follow-note.tsx';
import { LinkTo } from '../../parts/link-to.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { auditEventKind } from './audit-event.ts';
import { auditChoices, matchesAuditFilters, type AuditFilters } from './audit-filters.ts';
import { AuditTable } from './audit-table.tsx';

const OUTCOMES = ['done', 'refused', 'failed', 'begun'];

/** Who did what, as the API server has written it down. */
export function AuditPage(): ReactElement {
  const filters = useSearch({ from: '/audit' });
  const navigate = useNavigate({ from: '/audit' });
  const selection = filters.what === 'all' ? {} : { fieldSelector: 'deed=true' };
  const { state, objects: events } = useFollowed(auditEventKind, selection);
  const shown = useMemo(() => events.filter((event) => matchesAuditFilters(event, filters)), [events, filters]);
  const { people, verbs } = useMemo(() => auditChoices(events), [events]);
  if (isElsewhere(state)) return <AuditElsewhere />;
  return (
    <Page title="Audit">
      <Stack gap="sm">
        <AuditFilterBar
          people={people}
          verbs={verbs}
          filters={filters}
          onChange={(search) => void navigate({ search, replace: true })}
        />
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
  readonly people: readonly string[];
  readonly verbs: readonly string[];
  readonly filters: AuditFilters;
  readonly onChange: (filters: AuditFilters) => void;
}

function AuditFilterBar({ people, verbs, filters, onChange }: AuditFilterBarProps): ReactElement {
  const change = (name: keyof AuditFilters, value: string | null): void => {
    const { [name]: _, ...rest } = filters;
    onChange(value === null || value === '' ? rest : { ...rest, [name]: value });
  };
  const choices = [
    { name: 'who', label: 'Who', values: people },
    { name: 'verb', label: 'Verb', values: verbs },
    { name: 'outcome', label: 'Outcome', values: OUTCOMES },
  ] as const;
  return (
    <Group gap="xs" role="search" aria-label="Narrow the list">
      <TextInput
        aria-label="Filter by text"
        placeholder="Person, object or address"
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
          searchable
          w="12rem"
          data={withChosen(values, filters[name])}
          value={filters[name] ?? null}
          onChange={(value) => change(name, value)}
        />
      ))}
      <Switch
        label="Also what only reads"
        checked={filters.what === 'all'}
        onChange={(event) => change('what', event.currentTarget.checked ? 'all' : null)}
      />
    </Group>
  );
}

// What is chosen stays to be seen when nothing has that value any more.
function withChosen(values: readonly string[], chosen: string | undefined): string[] {
  return chosen === undefined || values.includes(chosen) ? [...values] : [...values, chosen];
}
