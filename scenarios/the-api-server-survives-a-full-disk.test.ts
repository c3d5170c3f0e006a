import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSmaltApiServer } from '@smalt/bed-kubernetes';
import { expect, it } from 'vitest';

import { ApiClient } from './chaos/api-client.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const isRoot = process.getuid?.() === 0;

it.skipIf(!isRoot)(
  'refuses writes on a full disk with a clear error, reads on, and writes again when there is room',
  { timeout: 60_000 },
  async () => {
    using disk = tinyDisk();
    await using server = await startSmaltApiServer({ directory: disk.path, signal: AbortSignal.timeout(30_000) });
    using client = new ApiClient(server);
    const before = await client.ask('POST', PATH, configMap('before'));

    disk.fill();
    const refused = await writeUntilRefused(client);
    const whileFull = await namesOf(client);
    const alive = server.process.isRunning;
    disk.free();
    const after = await client.ask('POST', PATH, configMap('after'));
    await server.kill();
    await server.restart(AbortSignal.timeout(30_000));

    expect([before.status, after.status]).toEqual([201, 201]);
    expect(refused).toMatchObject({ status: 500, object: { kind: 'Status', status: 'Failure', code: 500 } });
    expect(refused.object['message']).toContain('database or disk is full');
    expect(alive).toBe(true);
    expect(whileFull).toContain('before');
    expect(await namesOf(client)).toEqual(['after', ...whileFull].toSorted());
  },
);

/** A disk that has just run full may still have room in a page that was begun. */
async function writeUntilRefused(client: ApiClient): ReturnType<ApiClient['ask']> {
  for (let number = 0; ; number++) {
    const answer = await client.ask('POST', PATH, configMap(`filling-${number}`));
    if (answer.status !== 201) return answer;
  }
}

async function namesOf(client: ApiClient): Promise<readonly string[]> {
  const { object } = await client.ask('GET', PATH);
  return Object(object)
    .items.map((item: { metadata: { name: string } }) => item.metadata.name)
    .filter((name: string) => !name.startsWith('kube-'))
    .toSorted();
}

function configMap(name: string) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: 'x'.repeat(4096) } };
}

function tinyDisk() {
  const path = mkdtempSync(join(tmpdir(), 'smalt-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', path]);
  const filler = join(path, 'filler');
  return {
    path,
    fill: () => fill(filler),
    free: () => rmSync(filler),
    [Symbol.dispose]: () => {
      execFileSync('umount', [path]);
      rmSync(path, { recursive: true });
    },
  };
}

/** The server writes at the same time, so what is free now may be gone a moment later. */
function fill(path: string): void {
  const page = Buffer.alloc(4096);
  try {
    for (;;) appendFileSync(path, page);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
