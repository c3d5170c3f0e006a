import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { ExitCode } from '../output/exit-code.ts';
import { kubectl, runSmalt, startSmalt, type RunningSmalt } from '../up/fixtures/running-smalt.ts';

const WAIT_MS = 240_000;
const POLL = { timeout: WAIT_MS, interval: 500 };

// The demo goes back and forth between the two, in this order; nothing can be tried again.
describe('smalt migrate, evict and maintenance, with smalt up --hosts 2', { timeout: WAIT_MS * 2, retry: 0 }, () => {
  let directory: string;
  let smalt: RunningSmalt;
  let kubeconfig: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'smalt-commands-'));
    // Guests are not root, and have to get through.
    await chmod(directory, 0o711);
    smalt = startSmalt(['up', '--data', directory, '--hosts', '2']);
    kubeconfig = (await smalt.line(/export KUBECONFIG=(\S+)/))[1] ?? '';
    for (const name of ['hv1', 'hv2']) await ready(name);
    await vi.waitUntil(place, POLL);
  }, WAIT_MS * 2);

  afterAll(async () => {
    await smalt.kill();
    await runSmalt(['down', '--data', directory, '--purge', '--yes']);
    await rm(directory, { recursive: true, force: true });
  }, WAIT_MS);

  it('waits until a machine has moved, and says where it is', async () => {
    const from = await place();

    const { code, text } = await ask('migrate', 'demo', '--wait');

    const to = await place();
    expect([code, to === from]).toEqual([ExitCode.done, false]);
    expect(text).toContain(to);
  });

  it('empties a host, says so, and lets it have machines again', async () => {
    const host = await place();

    const emptied = await ask('evict', host, '--wait', '--reason', 'its fan is loud');
    const to = await place();
    const undone = await ask('evict', host, '--undo');

    expect([emptied.code, undone.code, to === host]).toEqual([ExitCode.done, ExitCode.done, false]);
    expect(emptied.text).toContain(`${host} is empty`);
    await ready(host);
  });

  it('takes a host out of use until that is over', async () => {
    const host = await place();

    const begun = await ask('maintenance', host, 'on', '--wait', '--reason', 'new disks');
    const spec = await kubectl(kubeconfig, ['get', 'hypervisor', host, '-o', 'jsonpath={.spec.maintenance}']);
    const to = await place();
    const ended = await ask('maintenance', host, 'off', '--wait');

    expect([begun.code, spec, to === host, ended.code]).toEqual([ExitCode.done, 'manual', false, ExitCode.done]);
    await ready(host);
  });

  it('names what is not there, and ends so that scripts notice', async () => {
    const machine = await ask('migrate', 'nobody', '--wait');
    const host = await ask('evict', 'hv9', '--wait');

    expect([machine.code, host.code]).toEqual([ExitCode.notFound, ExitCode.notFound]);
    expect(machine.text).toContain('nobody');
    expect(host.text).toContain('hv9');
  });

  async function ask(...words: readonly string[]): Promise<{ readonly code: unknown; readonly text: string }> {
    return await runSmalt([...words, '--kubeconfig', kubeconfig]);
  }

  async function ready(host: string): Promise<void> {
    await kubectl(kubeconfig, ['wait', `hypervisor/${host}`, '--for=condition=Ready', `--timeout=${WAIT_MS / 1000}s`]);
  }

  /** The host that the demo runs on; empty while it runs nowhere. */
  async function place(): Promise<string> {
    const what = ['get', 'vmi', 'demo', '--ignore-not-found', '-o', 'jsonpath={.status.phase} {.status.nodeName}'];
    const [phase, node = ''] = (await kubectl(kubeconfig, what)).split(' ');
    return phase === 'Running' ? node : '';
  }
});
