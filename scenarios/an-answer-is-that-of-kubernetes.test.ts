import { startSmaltApiServer } from '@smalt/bed-kubernetes';
import { beforeAll, describe, expect, it } from 'vitest';

import type { Answer, Recording } from './kubernetes-parity/answer.ts';
import { findDifferences } from './kubernetes-parity/find-differences.ts';
import { intendedDifferences, intendedFor } from './kubernetes-parity/intended-differences.ts';
import { allProbes } from './kubernetes-parity/probes/all-probes.ts';
import { readRecording, RECORDING_PATH } from './kubernetes-parity/recording-file.ts';
import { runProbes } from './kubernetes-parity/run-probes.ts';

// The answers were recorded from a real kube-apiserver 1.36; see kubernetes-parity/README.md.
describe('the API server answers as Kubernetes does', () => {
  let recording: Recording;
  let answers: Recording;

  beforeAll(async () => {
    recording = await readRecording(RECORDING_PATH);
    await using server = await startSmaltApiServer({ signal: AbortSignal.timeout(30_000) });
    answers = await runProbes(server, allProbes, AbortSignal.timeout(110_000));
  });

  it.each(allProbes.map(({ name }) => name))('to the probe: %s', (name) => {
    const differences = findDifferences(answersTo(recording, name), answersTo(answers, name));

    expect(differences.filter((difference) => intendedFor(name, difference) === undefined)).toEqual([]);
  });

  it('differs wherever it is said to differ', () => {
    const found = allProbes.flatMap(({ name }) =>
      findDifferences(answersTo(recording, name), answersTo(answers, name)).map((difference) =>
        intendedFor(name, difference),
      ),
    );

    const unneeded = intendedDifferences.filter((entry) => entry.isRace !== true && !found.includes(entry));
    expect(unneeded.map(({ reason }) => reason)).toEqual([]);
  });
});

function answersTo(recording: Recording, name: string): readonly Answer[] {
  return recording[name] ?? [];
}
