import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { findKubernetes, startKubernetes } from '@smalt/bed-kubernetes';

import type { SessionOptions } from './http-session.ts';
import { allProbes } from './probes/all-probes.ts';
import { printRecording, RECORDING_PATH } from './recording-file.ts';
import { runProbes } from './run-probes.ts';

const TIMEOUT_MS = 600_000;

/** Records what the real kube-apiserver says: one of the bed, or the one that --url and --token name. */
async function main(signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    options: { url: { type: 'string' }, token: { type: 'string' }, to: { type: 'string' } },
  });
  const path = values.to ?? RECORDING_PATH;
  if (values.url !== undefined) return record({ url: values.url, token: values.token ?? '' }, path, signal);
  const programs = findKubernetes();
  if (programs === undefined)
    throw new Error('kube-apiserver or etcd is missing: see npm run bed:kubernetes -- --build');
  await using server = await startKubernetes(programs, signal);
  await record(server, path, signal);
}

async function record(server: SessionOptions, path: string, signal: AbortSignal): Promise<void> {
  const recording = await runProbes(server, allProbes, signal);
  await writeFile(path, printRecording(recording));
  console.log(`${Object.keys(recording).length} probes recorded in ${path}`);
}

await main(AbortSignal.timeout(TIMEOUT_MS));
