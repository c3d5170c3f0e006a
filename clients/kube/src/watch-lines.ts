import { isJsonObject } from '@smalt/json';
import type { KubernetesObject, WatchEvent } from '@smalt/kubernetes';

import { isStatus } from './answer-error.ts';
import { KubeError } from './kube-error.ts';
import { readAnswer } from './read-answer.ts';

const TYPES = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']);
const NEWLINE = 0x0a;

/** Turns the bytes of a watch into events, all that came together in one batch. Throws a KubeError on anything else. */
export async function* readWatchEvents<T extends KubernetesObject>(
  chunks: AsyncIterable<Buffer>,
  what: string,
): AsyncGenerator<readonly WatchEvent<T>[], void> {
  // An event of a large object comes in many pieces: put together once, when its end is there.
  let pieces: Buffer[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE);
    pieces.push(end < 0 ? chunk : chunk.subarray(0, end));
    if (end < 0) continue;
    const lines = (pieces.length === 1 ? chunk.subarray(0, end) : Buffer.concat(pieces)).toString('utf8').split('\n');
    pieces = end + 1 === chunk.length ? [] : [chunk.subarray(end + 1)];
    yield lines.filter((line) => line !== '').map((line) => readEvent<T>(line, what));
  }
}

function readEvent<T extends KubernetesObject>(line: string, what: string): WatchEvent<T> {
  const value = readAnswer(line, what);
  if (isWatchEvent<T>(value)) return value;
  throw new KubeError('bad-answer', `${what}: not an event of a watch: ${line.slice(0, 200)}`);
}

function isWatchEvent<T extends KubernetesObject>(value: unknown): value is WatchEvent<T> {
  if (!isJsonObject(value) || typeof value['type'] !== 'string' || !TYPES.has(value['type'])) return false;
  const { type, object } = value;
  return type === 'ERROR' ? isStatus(object) : isJsonObject(object) && isJsonObject(object['metadata']);
}
