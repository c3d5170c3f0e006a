import { findKubernetes, startKubernetes } from '@smalt/bed-kubernetes';
import { beforeAll, describe, expect, it } from 'vitest';

import type { Recording } from './kubernetes-parity/answer.ts';
import { findDifferences } from './kubernetes-parity/find-differences.ts';
import { allProbes } from './kubernetes-parity/probes/all-probes.ts';
import { readRecording, RECORDING_PATH } from './kubernetes-parity/recording-file.ts';
import { runProbes } from './kubernetes-parity/run-probes.ts';

const TIMEOUT_MS = 300_000;
const programs = findKubernetes();

// Our server is compared with the recording: if that were wrong, both would be.
describe.skipIf(programs === undefined)('kube-apiserver answers as it did when it was recorded', () => {
  let recording: Recording;
  let answers: Recording;

  beforeAll(async () => {
    if (programs === undefined) return;
    recording = await readRecording(RECORDING_PATH);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    await using server = await startKubernetes(programs, signal);
    answers = await runProbes(server, allProbes, signal);
  }, TIMEOUT_MS);

  it('to all probes and no others', () => {
    expect(Object.keys(recording)).toEqual(allProbes.map(({ name }) => name));
  });

  it.each(allProbes.map(({ name }) => name))('to the probe: %s', (name) => {
    expect(findDifferences(recording[name] ?? [], answers[name] ?? [])).toEqual([]);
  });
});
