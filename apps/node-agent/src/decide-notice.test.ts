import type { Obstacle } from '@smalt/controller-runtime';
import type { Condition } from '@smalt/kubernetes';
import { describe, expect, it } from 'vitest';

import { decideNotice, STALE_MS, type NoticeFacts, type NoticeStep } from './decide-notice.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const rival: Obstacle = { kind: 'rival', identity: 'a pid 1 since x' };
const refused: Obstacle = { kind: 'refused', lease: 'ns/l', reason: 'no' };

describe('decideNotice', () => {
  it.each<{ readonly case: string; readonly facts: Partial<NoticeFacts>; readonly says: string }>([
    { case: 'all is well', facts: {}, says: 'nothing' },
    { case: 'it is over', facts: { isStated: true, notice: notice('a', 'b') }, says: 'clear' },
    { case: 'somebody else waits', facts: { notice: notice('a', 'b') }, says: 'nothing' },
    { case: 'nobody may wait any more', facts: { notice: notice('a', 'b', STALE_MS) }, says: 'clear' },
    {
      case: 'another one reports',
      facts: { obstacle: rival },
      says: 'True AnotherAgentReports: Two agents run for n1: a pid 1 since x reports, me waits',
    },
    { case: 'it is said already', facts: { obstacle: rival, notice: notice('a', 'me') }, says: 'nothing' },
    { case: 'a third one has said it', facts: { obstacle: rival, notice: notice('a', 'b') }, says: 'nothing' },
    {
      case: 'the notice names another reporter',
      facts: { obstacle: rival, notice: notice('c', 'b') },
      says: 'True AnotherAgentReports: Two agents run for n1: a pid 1 since x reports, me waits',
    },
    {
      case: 'one that may not look has spoken first',
      facts: { obstacle: rival, notice: { ...notice('a', 'b'), status: 'Unknown', reason: 'LeaseRefused' } },
      says: 'True AnotherAgentReports: Two agents run for n1: a pid 1 since x reports, me waits',
    },
    {
      case: 'it may not look',
      facts: { obstacle: refused },
      says: 'because it may not keep the Lease ns/l: no. Let it',
    },
    { case: 'it may not look, another knows', facts: { obstacle: refused, notice: notice('a', 'b') }, says: 'nothing' },
  ])('when $case: $says', ({ facts, says }) => {
    const step = decideNotice({
      obstacle: undefined,
      notice: undefined,
      isStated: false,
      nodeName: 'n1',
      identity: 'me (1 2 3)',
      now: NOW,
      ...facts,
    });

    expect(inWords(step)).toContain(says);
  });

  it('is satisfied with what it said about a refused Lease', () => {
    const facts = { isStated: false, nodeName: 'n1', identity: 'me', now: NOW, obstacle: refused };
    const step = decideNotice({ ...facts, notice: undefined });
    const message = step.kind === 'state' ? (step.statement.message ?? '') : '';

    const again = decideNotice({ ...facts, notice: { ...notice('a', 'b'), status: 'Unknown', message } });

    expect(again).toEqual({ kind: 'nothing' });
  });
});

function inWords(step: NoticeStep): string {
  if (step.kind !== 'state') return step.kind;
  return `${step.statement.status} ${step.statement.reason}: ${step.statement.message}`;
}

function notice(reporting: string, waiting: string, ageMs = 0): Condition {
  return {
    type: 'NodeAgentConflict',
    status: 'True',
    reason: 'AnotherAgentReports',
    message: `Two agents run for n1: ${reporting} pid 1 since x reports, ${waiting} waits. Stop one of them.`,
    lastTransitionTime: new Date(NOW - ageMs).toISOString(),
  };
}
