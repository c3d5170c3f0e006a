import { describe, expect, it } from 'vitest';

import { anInstance } from '../fixtures/an-instance.ts';
import { isToEnd } from './is-to-end.ts';

/** The clock of the controller is ahead of that of the source: by their times the pod was deleted after the migration. */
const LEAVING = {
  type: 'Ready',
  status: 'False',
  reason: 'PodTerminating',
  lastTransitionTime: '2026-01-01T00:00:05Z',
} as const;
const COME = { targetNode: 'here', completed: true, endTimestamp: '2026-01-01T00:00:03Z' };

describe('isToEnd', () => {
  it.each([
    { when: 'its pod is deleted', leavingPod: 'pod', migrationState: undefined, isEnd: true },
    {
      when: 'a pod is deleted, and it has only had one',
      leavingPod: undefined,
      migrationState: undefined,
      isEnd: true,
    },
    { when: 'another pod is deleted', leavingPod: 'other', migrationState: undefined, isEnd: false },
    { when: 'it has come, and the pod it left is deleted', leavingPod: 'old', migrationState: COME, isEnd: false },
    { when: 'it has come, and nobody says of which pod', leavingPod: undefined, migrationState: COME, isEnd: false },
    { when: 'it has come, and its new pod is deleted', leavingPod: 'pod', migrationState: COME, isEnd: true },
  ])('is $isEnd for a guest when $when', ({ leavingPod, migrationState, isEnd }) => {
    const status = { conditions: [LEAVING], ...(migrationState === undefined ? {} : { migrationState }) };
    const base = anInstance(status);
    const annotations = leavingPod === undefined ? {} : { 'smalt.dev/leaving-pod': leavingPod };
    const instance = { ...base, metadata: { ...base.metadata, annotations } };

    expect(isToEnd({ instance, nodeName: 'here', podUid: 'pod', shuttingDownMs: undefined })).toBe(isEnd);
  });
});
