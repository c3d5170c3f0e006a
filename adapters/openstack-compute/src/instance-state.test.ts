import { describe, expect, it } from 'vitest';

import { guestState, instanceState, instanceStateText, isMeantToRun } from './instance-state.ts';

const RUNNING = 1;
const OFF = 4;

describe('instanceState', () => {
  it.each([
    ['ACTIVE', 'running'],
    ['BUILD', 'building'],
    ['DELETED', 'deleting'],
    ['ERROR', 'failed'],
    ['HARD_REBOOT', 'busy'],
    ['MIGRATING', 'moving'],
    ['PASSWORD', 'busy'],
    ['PAUSED', 'paused'],
    ['REBOOT', 'busy'],
    ['REBUILD', 'busy'],
    ['RESCUE', 'rescued'],
    ['RESIZE', 'moving'],
    ['REVERT_RESIZE', 'moving'],
    ['SHELVED', 'shelved'],
    ['SHELVED_OFFLOADED', 'shelved'],
    ['SHUTOFF', 'stopped'],
    ['SOFT_DELETED', 'deleting'],
    ['SUSPENDED', 'suspended'],
    ['UNKNOWN', 'busy'],
    ['VERIFY_RESIZE', 'unconfirmed'],
  ])('%s is %s', (status, state) => {
    expect(instanceState({ status, taskState: undefined, powerState: undefined })).toBe(state);
  });

  it.each([
    ['ACTIVE', 'deleting', 'deleting'],
    ['ERROR', 'deleting', 'deleting'],
    ['BUILD', 'deleting', 'deleting'],
    ['SHUTOFF', 'soft-deleting', 'deleting'],
    ['ACTIVE', 'force-deleting', 'deleting'],
    ['MIGRATING', 'migrating', 'moving'],
    ['PAUSED', 'migrating', 'moving'],
    ['RESIZE', 'resize_prep', 'moving'],
    ['RESIZE', 'resize_migrating', 'moving'],
    ['RESIZE', 'resize_migrated', 'moving'],
    ['RESIZE', 'resize_finish', 'moving'],
    ['REVERT_RESIZE', 'resize_reverting', 'moving'],
    ['VERIFY_RESIZE', 'resize_confirming', 'moving'],
    ['BUILD', 'spawning', 'building'],
    ['BUILD', 'networking', 'building'],
    ['ERROR', 'rebuilding', 'failed'],
    ['REBUILD', 'rebuild_spawning', 'busy'],
    ['ACTIVE', 'powering-off', 'busy'],
    ['SHUTOFF', 'powering-on', 'busy'],
    ['ACTIVE', 'image_snapshot', 'busy'],
    ['ACTIVE', 'image_uploading', 'busy'],
    ['ACTIVE', 'pausing', 'busy'],
    ['SUSPENDED', 'resuming', 'busy'],
    ['RESCUE', 'unrescuing', 'busy'],
    ['ACTIVE', 'shelving', 'busy'],
    ['SHELVED_OFFLOADED', 'spawning', 'busy'],
    ['REBOOT', 'rebooting', 'busy'],
  ])('%s with the task %s is %s', (status, taskState, state) => {
    expect(instanceState({ status, taskState, powerState: RUNNING })).toBe(state);
  });

  it.each([
    // Nova notices later that a guest is off; a live move of it would fail.
    ['ACTIVE', OFF, 'stopped'],
    ['ACTIVE', 6, 'stopped'],
    ['ACTIVE', 0, 'running'],
    ['ACTIVE', 3, 'running'],
    // What Nova holds for stopped is not moved live, whatever its guest does.
    ['SHUTOFF', RUNNING, 'stopped'],
    ['RESCUE', RUNNING, 'rescued'],
    ['ERROR', RUNNING, 'failed'],
    // A word of some other Nova.
    ['DREAMING', RUNNING, 'running'],
    ['DREAMING', OFF, 'busy'],
    ['DREAMING', undefined, 'busy'],
  ])('%s with the power state %s is %s', (status, powerState, state) => {
    expect(instanceState({ status, taskState: undefined, powerState })).toBe(state);
  });

  it.each([
    [RUNNING, 'running'],
    [3, 'paused'],
    [OFF, 'off'],
    [6, 'off'],
    [7, 'off'],
    [0, 'unknown'],
    [undefined, 'unknown'],
  ])('has a guest that, with the power state %s, is %s', (powerState, state) => {
    expect(guestState({ powerState })).toBe(state);
  });

  it('is meant to run as long as Nova has not stopped it, whatever its guest does', () => {
    expect(['active', 'stopped', 'error', 'paused', undefined].map((vmState) => isMeantToRun({ vmState }))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('is told in the words of Nova', () => {
    expect(instanceStateText({ status: 'ACTIVE', taskState: undefined, powerState: 1 })).toBe('ACTIVE');
    expect(instanceStateText({ status: 'ACTIVE', taskState: 'pausing', powerState: 1 })).toBe('ACTIVE (pausing)');
  });
});
