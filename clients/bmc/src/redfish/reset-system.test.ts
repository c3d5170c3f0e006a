import { describe, expect, it } from 'vitest';

import { resetType, taskProgress } from './reset-system.ts';

describe('resetType', () => {
  it.each([
    { wanted: 'off', allowed: ['GracefulShutdown'], sent: 'ForceOff' },
    { wanted: 'off', allowed: undefined, sent: 'ForceOff' },
    { wanted: 'on', allowed: undefined, sent: 'On' },
    { wanted: 'on', allowed: ['On', 'ForceOn'], sent: 'On' },
    { wanted: 'on', allowed: ['ForceOn', 'ForceOff'], sent: 'ForceOn' },
    { wanted: 'on', allowed: ['ForceOff'], sent: 'On' },
  ] as const)('sends $sent for $wanted where $allowed is allowed', ({ wanted, allowed, sent }) => {
    const action = allowed === undefined ? {} : { 'ResetType@Redfish.AllowableValues': allowed };

    expect(resetType({ Actions: { '#ComputerSystem.Reset': action } }, wanted)).toBe(sent);
  });

  it('needs no actions', () => {
    expect(resetType({}, 'on')).toBe('On');
  });
});

describe('taskProgress', () => {
  it.each([
    { status: 202, state: undefined, progress: 'running' },
    { status: 204, state: undefined, progress: 'completed' },
    { status: 200, state: 'New', progress: 'running' },
    { status: 200, state: 'Running', progress: 'running' },
    { status: 202, state: 'Completed', progress: 'completed' },
    { status: 200, state: 'Exception', progress: 'failed' },
    { status: 200, state: 'Killed', progress: 'failed' },
    { status: 200, state: 'Cancelled', progress: 'failed' },
  ])('is $progress for $status and $state', ({ status, state, progress }) => {
    const document = state === undefined ? undefined : { TaskState: state };

    expect(taskProgress({ status, document })).toBe(progress);
  });
});
