import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestDaemon } from '@smalt/bed-libvirt';
import { connect } from '@smalt/libvirt';
import { expect, it } from 'vitest';

import { CountingProxy } from './counting-proxy.ts';

it('counts the calls of a real client to a real daemon, and is not noticed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'smalt-proxy-'));
  try {
    await using daemon = await startTestDaemon();
    await using proxy = await CountingProxy.start(join(folder, 'socket'), daemon.socketPath);
    await using connection = await connect(`test+unix:///default?socket=${folder}/socket`);
    const before = proxy.calls;

    await Promise.all(Array.from({ length: 100 }, () => connection.connectGetLibVersion()));
    const domains = await connection.connectListAllDomains();

    expect(domains.map(({ name }) => name)).toEqual(['test']);
    expect(proxy.calls - before).toBe(101);
  } finally {
    await rm(folder, { recursive: true });
  }
});
