import { describe, expect, it } from 'vitest';

import { at, instance, machine } from '../fixtures/objects.ts';
import { printableStatus, type PrintableFacts } from './printable-status.ts';

const nothing = {
  vm: machine({ runStrategy: 'Always' }),
  vmi: undefined,
  storage: undefined,
  startFailure: undefined,
  expected: undefined,
};
const condition = (type: string, status: string, reason = '') => ({ conditions: [{ type, status, reason }] });
const migrating = { migrationState: { startTimestamp: at(0) } };
const paused = condition('Paused', 'True', 'PausedByUser');
const failure = { consecutiveFailCount: 1 };
const failedStorage = { dataVolumes: 'failed', hasUnboundClaim: true } as const;

const ROWS: readonly (readonly [string, string, Partial<PrintableFacts>])[] = [
  [
    'Terminating',
    'it is deleted, whatever else holds',
    { vm: machine({}, {}, { deletionTimestamp: at(0) }), vmi: instance('Running', migrating) },
  ],
  [
    'Stopping',
    'its instance is deleted, migrating or not',
    { vmi: instance('Running', migrating, { deletionTimestamp: at(0) }) },
  ],
  ['Stopping', 'it was just told to stop', { vmi: instance('Running'), expected: 'stop' }],
  ['Migrating', 'it migrates, paused or not', { vmi: instance('Running', { ...migrating, ...paused }) }],
  ['Paused', 'the guest is paused', { vmi: instance('Running', paused) }],
  ['Running', 'the guest runs, though storage fails', { vmi: instance('Running'), storage: failedStorage }],
  [
    'Running',
    'a migration is over',
    { vmi: instance('Running', { migrationState: { startTimestamp: at(0), endTimestamp: at(1), completed: true } }) },
  ],
  [
    'ErrorPvcNotFound',
    'a claim is missing',
    { vmi: instance('Pending', condition('Synchronized', 'False', 'FailedPvcNotFound')), storage: failedStorage },
  ],
  ['DataVolumeError', 'a data volume failed', { storage: failedStorage }],
  [
    'ErrorUnschedulable',
    'no node has room',
    { vmi: instance('Scheduling', condition('PodScheduled', 'False', 'Unschedulable')) },
  ],
  ['Provisioning', 'data volumes are filled', { storage: { dataVolumes: 'provisioning', hasUnboundClaim: true } }],
  ['WaitingForVolumeBinding', 'a claim is not bound', { storage: { dataVolumes: 'ready', hasUnboundClaim: true } }],
  [
    'Stopped',
    'a claim is not bound but nobody wants it',
    { vm: machine({ runStrategy: 'Halted' }), storage: { dataVolumes: 'ready', hasUnboundClaim: true } },
  ],
  [
    'ErrImagePull',
    'an image cannot be pulled',
    { vmi: instance('Scheduling', condition('Synchronized', 'False', 'ErrImagePull')) },
  ],
  [
    'ImagePullBackOff',
    'an image is tried again later',
    { vmi: instance('Scheduling', condition('Synchronized', 'False', 'ImagePullBackOff')) },
  ],
  ['Starting', 'it was just told to start', { expected: 'start', startFailure: failure }],
  ['Starting', 'it is on a node', { vmi: instance('Scheduled'), startFailure: failure }],
  ['CrashLoopBackOff', 'it failed and waits', { startFailure: failure }],
  ['CrashLoopBackOff', 'it has just failed', { startFailure: failure, vmi: instance('Failed') }],
  ['Stopped', 'it failed but nobody restarts it', { vm: machine({ runStrategy: 'Manual' }), startFailure: failure }],
  ['Stopped', 'there is no instance', {}],
  ['Stopped', 'the guest has shut down', { vmi: instance('Succeeded') }],
  [
    'WaitingForReceiver',
    'it waits for another cluster',
    { vm: machine({ runStrategy: 'WaitAsReceiver' }), vmi: instance('WaitingForSync') },
  ],
  ['Unknown', 'nothing else fits', { vmi: instance('Unknown') }],
];

describe('printableStatus', () => {
  it.each(ROWS)('is %s when %s', (status, _when, facts) => {
    expect(printableStatus({ ...nothing, ...facts })).toBe(status);
  });
});
