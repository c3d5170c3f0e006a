import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { startTestDaemon } from '@smalt/bed-libvirt';
import { describe, expect, it } from 'vitest';

import { FakeDaemon } from '../fake-daemon/fake-daemon.ts';
import { ManualClock } from '../fake-daemon/manual-clock.ts';
import { procedures } from '../generated/procedures.gen.ts';
import { updateServerTls } from './update-server-tls.ts';

const server = 'libvirtd';

// That a daemon shows another certificate afterwards is seen where certificates are installed: apps/node-agent.
describe('a real libvirtd', () => {
  it('says so if it serves no TLS, and if it has no such server', async () => {
    await using daemon = await startTestDaemon();
    const socketPath = join(dirname(daemon.socketPath), 'libvirt-admin-sock');

    await expect(updateServerTls({ socketPath, server })).rejects.toMatchObject({
      procedure: 'adminServerUpdateTlsFiles',
      message: expect.stringContaining('no tls service found'),
    });
    await expect(updateServerTls({ socketPath, server: 'nobody' })).rejects.toMatchObject({
      code: 'no-server',
      message: expect.stringContaining('nobody'),
    });
  });
});

describe('a daemon that', () => {
  it('is not there is named by its socket', async () => {
    await expect(updateServerTls({ socketPath: '/nowhere/admin-sock', server })).rejects.toMatchObject({
      code: 'connect-failed',
      message: expect.stringContaining('/nowhere/admin-sock'),
    });
  });

  it('says nothing is waited for no longer than it may take', async () => {
    await using home = await mkdtempDisposable(join(tmpdir(), 'smalt-admin-'));
    const socketPath = join(home.path, 'admin-sock');
    const clock = new ManualClock();
    const asked: number[] = [];
    await using _daemon = await FakeDaemon.listen(
      ({ header }) => {
        asked.push(header.procedure);
        clock.advance(500);
      },
      { socketPath, opensByItself: false },
    );

    await expect(updateServerTls({ socketPath, server }, { connectTimeoutMs: 500, clock })).rejects.toMatchObject({
      code: 'connect-timeout',
    });
    expect(asked).toEqual([procedures.adminConnectOpen.number]);
  });

  it('closes the door halfway is told from one that refuses', async () => {
    await using home = await mkdtempDisposable(join(tmpdir(), 'smalt-admin-'));
    const socketPath = join(home.path, 'admin-sock');
    await using _daemon = await FakeDaemon.listen(
      (call) => (call.header.procedure === 1 ? call.reply() : call.socket.destroy()),
      { socketPath, opensByItself: false },
    );

    await expect(updateServerTls({ socketPath, server })).rejects.toMatchObject({ code: 'connect-failed' });
  });

  it('is in the way of nobody who gives up', async () => {
    await using home = await mkdtempDisposable(join(tmpdir(), 'smalt-admin-'));
    const socketPath = join(home.path, 'admin-sock');
    const caller = new AbortController();
    await using _daemon = await FakeDaemon.listen(() => caller.abort(), { socketPath, opensByItself: false });

    await expect(updateServerTls({ socketPath, server }, { signal: caller.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});
