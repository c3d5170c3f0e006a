import { expect, it } from 'vitest';

import type { Incident, JournalEntry } from '../fleet-objects.ts';
import { incidentTimeline } from './incident-timeline.ts';

it('tells an incident from the last sign of life to the proof, with the evidence of each step', () => {
  const steps = incidentTimeline(INCIDENT, [
    line({ id: '2', at: at('00:00:40'), message: 'rebuilding has begun' }),
    line({ id: '1', incidentId: 'other', at: at('00:00:05') }),
  ]);

  expect(steps.map(({ words, evidence }) => [words, ...evidence].join(' | '))).toEqual([
    'Last sign of life',
    'hv2 is taken for lost | its agent says that it is dead | its node lease says that it is dead',
    'Told to power off by redfish | accepted',
    'Its power reads on by redfish | still on',
    'Its power reads off by redfish',
    'Proved to be off | 2 readings in a row say that it is off',
    'rebuilding has begun',
  ]);
});

it('names the person who answers for a proof, and who said what', () => {
  const proof = { kind: 'person', since: at('00:00:30'), by: 'alice', note: 'I pulled the plug' } as const;

  const steps = incidentTimeline({ ...INCIDENT, proof, fences: [], readings: [] }, [
    line({ id: '3', at: at('00:01:00'), message: 'the incident is closed', by: 'bob' }),
  ]);

  expect(steps.slice(-2).map(({ words, evidence }) => [words, ...evidence].join(' | '))).toEqual([
    'Proved to be off | alice: I pulled the plug',
    'the incident is closed | by bob',
  ]);
});

it('takes a host for proved off at the last of the readings that count', () => {
  const off = { method: 'redfish', power: 'off', message: null };
  const readings = ['00:00:13', '00:00:14', '00:00:15'].map((time) => ({ ...off, at: at(time) }));
  const proof = { kind: 'readings', since: at('00:00:13'), readings: 3 } as const;

  const steps = incidentTimeline({ ...INCIDENT, readings, proof }, []);

  expect(steps.at(-1)).toMatchObject({ words: 'Proved to be off', at: at('00:00:15') });
});

it('tells each step once, though the journal tells of it as well', () => {
  const off = { method: 'redfish', power: 'off', message: null };
  const readings = ['00:00:13', '00:00:14', '00:00:15'].map((time) => ({ ...off, at: at(time) }));
  const proof = { kind: 'readings', since: at('00:00:13'), readings: 3 } as const;

  const steps = incidentTimeline({ ...INCIDENT, readings, proof }, [
    line({ id: '1', what: 'incident-opened', at: at('00:00:10'), message: 'hv2 is condemned by agent, node-lease' }),
    line({ id: '2', what: 'fence', at: at('00:00:12'), message: 'hv2 is told to power off by redfish' }),
    line({ id: '3', what: 'fence', at: at('00:00:15'), message: 'hv2 is proved to be off by 3 readings by redfish' }),
    line({ id: '4', what: 'rebuild', at: at('00:00:20'), message: 'demo: it runs on hv3' }),
  ]);

  expect(steps.map(({ words, evidence }) => [words, ...evidence].join(' | '))).toEqual([
    'Last sign of life',
    'hv2 is taken for lost | its agent says that it is dead | its node lease says that it is dead',
    'Told to power off by redfish | accepted',
    'Its power reads off by redfish | 3 times in a row',
    'Proved to be off | 3 readings in a row say that it is off',
    'demo: it runs on hv3',
  ]);
});

it('does not name a person twice', () => {
  const said = line({ id: '3', at: at('00:01:00'), message: 'bob said "close"', by: 'bob' });

  expect(incidentTimeline(INCIDENT, [said]).at(-1)).toMatchObject({ words: 'bob said "close"', evidence: [] });
});

const INCIDENT: Incident = {
  apiVersion: '',
  kind: 'Incident',
  metadata: { name: 'i1' },
  id: 'i1',
  host: 'hv2',
  state: 'rebuilding',
  openedAt: at('00:00:10'),
  closedAt: null,
  condemnedBy: ['agent', 'node-lease'],
  lastLifeAt: at('00:00:00'),
  wait: null,
  needsPerson: false,
  outcome: null,
  fences: [{ method: 'redfish', askedAt: at('00:00:12'), answer: 'accepted' }],
  readings: [
    { at: at('00:00:13'), method: 'redfish', power: 'on', message: 'still on' },
    { at: at('00:00:14'), method: 'redfish', power: 'off', message: null },
  ],
  proof: { kind: 'readings', since: at('00:00:20'), readings: 2 },
  instances: {},
};

function at(time: string): string {
  return `2026-01-01T${time}Z`;
}

function line(fields: Partial<JournalEntry>): JournalEntry {
  return {
    apiVersion: '',
    kind: 'JournalEntry',
    metadata: { name: 'line' },
    id: '1',
    at: at('00:00:00'),
    what: 'incident-step',
    severity: 'info',
    host: 'hv2',
    incidentId: 'i1',
    message: 'something happened',
    by: null,
    ...fields,
  };
}
