import type { RunStrategy, VirtualMachineInstance, VirtualMachineStartFailure } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { at, instance, machine, NOW } from '../fixtures/objects.ts';
import { decideRun, type RunStep } from './decide-run.ts';
import type { StateChangeRequests } from './state-change-requests.ts';

const START: StateChangeRequests = [{ action: 'Start' }];
const STOP: StateChangeRequests = [{ action: 'Stop', uid: 'vmi-uid' }];
const STOP_OTHER: StateChangeRequests = [{ action: 'Stop', uid: 'other' }];
const running = instance('Running');
const failed = instance('Failed');
const succeeded = instance('Succeeded');
const deleting = instance('Running', {}, { deletionTimestamp: at(0) });

interface Row {
  readonly strategy: RunStrategy;
  readonly vmi?: VirtualMachineInstance;
  readonly requests?: StateChangeRequests;
  readonly was?: string;
  readonly failure?: VirtualMachineStartFailure;
  readonly step: RunStep['kind'] | 'restart';
}

const waiting = { consecutiveFailCount: 1, retryAfterTimestamp: at(10) };
const due = { consecutiveFailCount: 1, retryAfterTimestamp: at(-1) };

const ROWS: readonly Row[] = [
  { strategy: 'Always', step: 'start' },
  { strategy: 'Always', failure: waiting, step: 'wait' },
  { strategy: 'Always', failure: due, step: 'start' },
  { strategy: 'Always', vmi: running, step: 'none' },
  { strategy: 'Always', vmi: running, requests: STOP, step: 'stop' },
  { strategy: 'Always', vmi: running, requests: STOP_OTHER, step: 'none' },
  { strategy: 'Always', vmi: failed, step: 'stop' },
  { strategy: 'Always', vmi: succeeded, step: 'stop' },
  { strategy: 'Always', vmi: deleting, requests: STOP, step: 'none' },
  { strategy: 'RerunOnFailure', was: 'Halted', step: 'start' },
  { strategy: 'RerunOnFailure', step: 'start' },
  { strategy: 'RerunOnFailure', was: 'RerunOnFailure', step: 'none' },
  { strategy: 'RerunOnFailure', was: 'RerunOnFailure', requests: START, step: 'start' },
  { strategy: 'RerunOnFailure', was: 'RerunOnFailure', requests: START, failure: waiting, step: 'wait' },
  { strategy: 'RerunOnFailure', vmi: running, step: 'none' },
  { strategy: 'RerunOnFailure', vmi: running, requests: STOP, step: 'stop' },
  { strategy: 'RerunOnFailure', vmi: succeeded, step: 'stop' },
  { strategy: 'RerunOnFailure', vmi: failed, step: 'restart' },
  { strategy: 'RerunOnFailure', vmi: failed, requests: STOP, step: 'stop' },
  { strategy: 'Manual', step: 'none' },
  { strategy: 'Manual', requests: START, step: 'start' },
  { strategy: 'Manual', vmi: running, step: 'none' },
  { strategy: 'Manual', vmi: failed, step: 'none' },
  { strategy: 'Manual', vmi: running, requests: STOP, step: 'stop' },
  { strategy: 'Halted', step: 'none' },
  { strategy: 'Halted', requests: START, step: 'unhalt' },
  { strategy: 'Halted', vmi: running, step: 'stop' },
  { strategy: 'Halted', vmi: deleting, step: 'none' },
  { strategy: 'Once', step: 'start' },
  { strategy: 'Once', vmi: running, step: 'none' },
  { strategy: 'Once', vmi: failed, step: 'none' },
  { strategy: 'WaitAsReceiver', step: 'problem' },
];

describe('decideRun', () => {
  it.each(ROWS)(
    '$strategy, instance $vmi.status.phase, was $was: $step',
    ({ strategy, vmi, requests = [], was, failure, step }) => {
      const vm = machine({ runStrategy: strategy }, was === undefined ? {} : { runStrategy: was });

      const decided = decideRun({ vm, vmi, strategy, requests, startFailure: failure, now: NOW });

      expect(decided.kind === 'stop' && decided.isRestart ? 'restart' : decided.kind).toBe(step);
    },
  );

  it.each([
    [{}, 'spec.runStrategy is not set; use one of Always, Halted'],
    [{ runStrategy: 'Sometimes' }, 'spec.runStrategy: "Sometimes" does not exist; use one of Always'],
  ])('names the field and the choice when there is no such strategy', (spec, message) => {
    const facts = {
      vm: machine(spec),
      vmi: undefined,
      strategy: undefined,
      requests: [],
      startFailure: undefined,
      now: NOW,
    };

    expect(decideRun(facts)).toMatchObject({ kind: 'problem', message: expect.stringContaining(message) });
  });
});
