import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { LogLine } from '@smalt/vm-api';

import { followFile } from './follow-file.ts';

/** Where kubelets keep what containers print. */
export const CONTAINER_LOGS = '/var/log/pods';

export interface ContainerLog {
  /** Where the kubelet keeps them all. */
  readonly directory: string;
  readonly podUid: string;
  readonly lines: number;
  readonly isFollowed: boolean;
}

/** When it was, which of the two outputs, and whether the line goes on. */
const LINE = /^(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)) (?:stdout|stderr) [FP](?::\S*)? (.*)$/su;

/** What the launcher of a pod prints, as its kubelet keeps it; nothing where no kubelet runs the pod. */
export async function* followContainerLog(
  { directory, podUid, lines, isFollowed }: ContainerLog,
  signal: AbortSignal,
): AsyncGenerator<readonly LogLine[], void> {
  const path = await findLog(directory, podUid);
  if (path === undefined) return;
  for await (const texts of followFile({ path, lines, isFollowed }, signal)) {
    if (texts.length > 0) yield texts.map(containerLine);
  }
}

/** A line of such a file; one that is written otherwise is shown as it is. */
function containerLine(text: string): LogLine {
  const [, time, message] = LINE.exec(text) ?? [];
  if (time === undefined || message === undefined) return { source: 'launcher', text };
  return { source: 'launcher', text: message, at: new Date(time).toISOString() };
}

/** Launchers are never started twice in a pod, so the first file is the only one. */
async function findLog(directory: string, podUid: string): Promise<string | undefined> {
  const names = await readdir(directory).catch(noneIfMissing);
  const pod = names.find((name) => name.endsWith(`_${podUid}`));
  return pod === undefined ? undefined : join(directory, pod, 'compute', '0.log');
}

function noneIfMissing(error: unknown): readonly string[] {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return [];
  throw error;
}
