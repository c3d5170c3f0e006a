import { ImageStoreError } from '@smalt/image-store';
import { expect, it } from 'vitest';

import { PodRunnerError } from '../pod-runner-error.ts';
import { judgeStartFailure } from './start-failure.ts';

const noImage = new ImageStoreError('image-not-found', 'no demo');
const noVolume = new PodRunnerError('volume-not-ready', 'no claim');
const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });

it.each([
  { error: new PodRunnerError('invalid-pod', 'never'), attempt: 1, failure: { kind: 'refused', message: 'never' } },
  {
    error: new PodRunnerError('no-processors', 'too few'),
    attempt: 1,
    failure: { kind: 'refused', reason: 'UnexpectedAdmissionError', message: 'too few' },
  },
  { error: noImage, attempt: 1, failure: { reason: 'ErrImagePull', message: 'no demo', againInMs: 1_000 } },
  { error: noImage, attempt: 2, failure: { reason: 'ImagePullBackOff', againInMs: 2_000 } },
  { error: noImage, attempt: 40, failure: { reason: 'ImagePullBackOff', againInMs: 60_000 } },
  { error: noVolume, attempt: 1, failure: { reason: 'ContainerCreating', message: 'no claim' } },
  { error: full, attempt: 1, failure: { reason: 'CreateContainerError', message: full.message } },
  { error: new PodRunnerError('launch-failed', 'busy'), attempt: 1, failure: { kind: 'unexplained' } },
  { error: new Error('what'), attempt: 1, failure: { kind: 'unexplained' } },
])('$failure after $error.message, attempt $attempt', ({ error, attempt, failure }) => {
  expect(judgeStartFailure(error, attempt)).toMatchObject(failure);
});
