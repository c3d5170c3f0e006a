import { appendFile, mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { LogLine, VirtualMachineInstance } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { anInstance } from '../sync/fixtures/an-instance.ts';
import { journalLine } from './follow-journal.ts';
import { NODE_LOG_DEFAULTS, type NodeLogSettings } from './log-settings.ts';
import { NodeLogs } from './node-logs.ts';

const POD = '4f7c1d2e-0000-4000-8000-000000000000';
const WHOLE = { lines: 10, isFollowed: false };
const owned = new AsyncDisposableStack();
let directory: string;

beforeAll(async () => {
  directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-logs-'))).path;
  await mkdir(join(directory, 'libvirt/qemu'), { recursive: true });
  await mkdir(join(directory, 'pods', POD), { recursive: true });
  await writeFile(join(directory, 'libvirt/qemu/default_guest.log'), 'starting up\n');
  await writeFile(join(directory, 'libvirt/libvirtd.log'), 'daemon\n');
  await writeFile(join(directory, 'pods', POD, 'compute.log'), 'holding\n');
});

afterAll(() => owned.disposeAsync());

describe('the log of an instance', () => {
  it('is what its hypervisor and its launcher here wrote', async () => {
    const flow = logs().ofInstance(guest({ [POD]: 'n1', 'other-node': 'n2', '../../etc': 'n1' }), WHOLE, never());

    // In the order in which the two are read.
    expect(new Set(await all(flow))).toEqual(
      new Set([
        { source: 'qemu', text: 'starting up' },
        { source: 'launcher', text: 'holding' },
      ]),
    );
  });

  it('has what a kubelet keeps of its launcher, with the time of each line', async () => {
    const containerLogs = join(directory, 'containers');
    const place = join(containerLogs, `default_virt-launcher-guest_${POD}`, 'compute');
    await mkdir(place, { recursive: true });
    await writeFile(join(place, '0.log'), '2026-01-02T03:04:05.123456789Z stdout F waiting for the guest\nodd\n');

    const flow = logs({}, containerLogs).ofInstance(guest({ [POD]: 'n1' }), WHOLE, never());

    const others = new Set(['starting up', 'holding']);
    expect((await all(flow)).filter(({ text }) => !others.has(text))).toEqual([
      { source: 'launcher', text: 'waiting for the guest', at: '2026-01-02T03:04:05.123Z' },
      { source: 'launcher', text: 'odd' },
    ]);
  });

  it('is followed in all its parts', async () => {
    const stop = new AbortController();
    const flow = logs().ofInstance(guest({ [POD]: 'n1' }), { lines: 0, isFollowed: true }, stop.signal);
    const first = flow.next();

    await appendFile(join(directory, 'pods', POD, 'compute.log'), 'more\n');

    expect((await first).value).toEqual([{ source: 'launcher', text: 'more' }]);
    stop.abort();
    expect(await all(flow)).toEqual([]);
  });
});

describe('the log of a node', () => {
  it('is in files where there is no journal', async () => {
    const flow = await logs().ofNode('libvirt', WHOLE, never());

    expect(await all(flow)).toEqual([{ source: 'libvirtd', text: 'daemon' }]);
  });

  it('is in the journal as well, of which the units are asked for', async () => {
    const program = join(directory, 'journalctl');
    const entry = JSON.stringify({
      MESSAGE: 'x',
      _SYSTEMD_UNIT: 'libvirtd.service',
      __REALTIME_TIMESTAMP: '1767323045000000',
    });
    await writeFile(program, `#!/bin/sh\necho "$@" > ${directory}/asked\necho '${entry}'\necho nonsense\n`, {
      mode: 0o755,
    });

    const flow = await logs({ journalctl: [program, '--root=/host'] }).ofNode('ovs', WHOLE, never());

    expect(await all(flow)).toEqual([{ source: 'libvirtd.service', text: 'x', at: '2026-01-02T03:04:05.000Z' }]);
    const asked = await all(await logs({ agentFiles: [join(directory, 'asked')] }).ofNode('agents', WHOLE, never()));
    expect(asked[0]?.text).toMatch(/^--root=\/host --output=json .* --lines=10 .*--unit=ovs-vswitchd /);
    expect(asked[0]?.text).not.toContain('--follow');
  });

  it('is refused where there is none, with the places that were looked at', async () => {
    await expect(logs().ofNode('ovs', WHOLE, never())).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringMatching(/no log of ovs on n1: it has no journal, and no file of it in .*openvswitch/),
    });
  });
});

it.each([
  ['{"MESSAGE":"a","SYSLOG_IDENTIFIER":"x"}', { source: 'x', text: 'a' }],
  ['{"MESSAGE":[104,105]}', { source: 'journal', text: 'hi' }],
  ['{"MESSAGE":null}', { source: 'journal', text: '' }],
  ['{"MESS', undefined],
  ['[]', undefined],
])('reads %s of the journal', (text, line) => {
  expect(journalLine(text)).toEqual(line);
});

function logs(changes: Partial<NodeLogSettings> = {}, containerLogs = join(directory, 'no-containers')): NodeLogs {
  const own = {
    journalctl: [],
    libvirtDirectory: join(directory, 'libvirt'),
    ovsDirectories: [join(directory, 'openvswitch')],
  };
  const settings = { ...NODE_LOG_DEFAULTS, ...own, ...changes };
  return new NodeLogs({ nodeName: 'n1', podsDirectory: join(directory, 'pods'), containerLogs, settings });
}

function guest(activePods: Readonly<Record<string, string>>): VirtualMachineInstance {
  return anInstance({ activePods }, { hypervisor: 'qemu' });
}

async function all(flow: AsyncIterable<readonly LogLine[]>): Promise<readonly LogLine[]> {
  const found: LogLine[] = [];
  for await (const lines of flow) found.push(...lines);
  return found;
}

function never(): AbortSignal {
  return new AbortController().signal;
}
