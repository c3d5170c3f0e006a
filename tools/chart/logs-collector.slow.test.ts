import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { readChartValues } from './chart-values.ts';
import { findFluentBit } from './find-fluent-bit.ts';
import { CHART, findHelm, renderChart } from './helm.ts';
import { renderedObjects } from './rendered-objects.ts';

const JOURNAL_WRITER = '/lib/systemd/systemd-journal-remote';
const MACHINE = '0123456789abcdef0123456789abcdef';
const SOON = { timeout: 30_000, interval: 100 };
const POD = 'pods/smalt-system_virt-api-abc_uid/virt-api';
/** As on a node, and with a network of its own, so that it listens where nobody else does. */
const NODE = `
mount --bind "$1/log" /var/log
mount -t tmpfs none /var/lib
mkdir -p /var/lib/smalt
mount --bind "$1/positions" /var/lib/smalt
mount --bind "$1/machine-id" /etc/machine-id
ip link set lo up
exec "$2" --config="$1/fluent-bit.yaml"`;
const run = promisify(execFile);
const helm = findHelm() ?? '';
const fluentBit = findFluentBit();
const owned = new AsyncDisposableStack();
let directory: string;
let collector: Collector;

interface Collector extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly records: Readonly<Record<string, unknown>>[];
}

describe.skipIf(fluentBit === undefined)('the Fluent Bit of this machine (needs fluent-bit)', () => {
  it('is of the version that the chart runs', async () => {
    const values = readChartValues(await readFile(join(CHART, 'values.yaml'), 'utf8'));
    const tag = values.find(({ path }) => path === 'logs.image.tag')?.default;

    const { stdout } = await run(fluentBit ?? '', ['--version']);

    expect(/^Fluent Bit v(?<version>\S+)$/m.exec(stdout)?.groups?.['version']).toBe(tag);
  });
});

describe.skipIf(helm === '' || fluentBit === undefined)(
  'logs of a node, by a real Fluent Bit (needs helm, which npm run bed:kubernetes builds, and fluent-bit)',
  { timeout: 120_000 },
  () => {
    beforeAll(async () => {
      directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-logs-'))).path;
      await prepareNode();
      collector = owned.use(await startCollector());
    }, 120_000);
    afterAll(() => owned.disposeAsync());

    it('are those of libvirt and of its guests, each with its file and its node', async () => {
      await log('libvirt/libvirtd.log', 'libvirt version: 9.0.0');
      await log('libvirt/qemu/demo.log', 'char device redirected');

      await expect
        .poll(() => fieldsOf('libvirt', ['file', 'message', 'node']), SOON)
        .toEqual([
          { file: '/var/log/libvirt/libvirtd.log', message: 'libvirt version: 9.0.0', node: 'node-7' },
          { file: '/var/log/libvirt/qemu/demo.log', message: 'char device redirected', node: 'node-7' },
        ]);
    });

    it('are those of switches and of Nova, where these write files', async () => {
      await log('openvswitch/ovs-vswitchd.log', '2026-11-18T03:00:00Z|00001|bridge|WARN|could not open br-int');
      await log('ovn/ovn-controller.log', '2026-11-18T03:00:00Z|00001|reconnect|INFO|connected');
      await log('nova/nova-compute.log', '2026-11-18 03:00:00.000 1 INFO nova.virt.libvirt.driver connected');

      for (const [folder, file] of [
        ['openvswitch', 'ovs-vswitchd.log'],
        ['ovn', 'ovn-controller.log'],
        ['nova', 'nova-compute.log'],
      ] as const) {
        await expect
          .poll(() => fieldsOf(folder, ['file', 'node']), SOON)
          .toEqual([{ file: `/var/log/${folder}/${file}`, node: 'node-7' }]);
      }
    });

    it('are those of our pods in fields, lines of others whole, and not its own', async () => {
      await log(`${POD}/0.log`, '2026-11-18T03:00:00Z stdout F {"level":"info","msg":"ready"}');
      await log(`${POD}/0.log`, '2026-11-18T03:00:00Z stderr P half of ');
      await log(`${POD}/0.log`, '2026-11-18T03:00:00Z stderr F a line');
      await log('pods/smalt-system_smalt-logs-x_uid/smalt-logs/0.log', '2026-11-18T03:00:00Z stdout F own');
      await log('pods/shop_web_uid/web/0.log', '2026-11-18T03:00:00Z stdout F of a stranger');
      await log(`${POD}/0.log`, '2026-11-18T03:00:01Z stdout F {"level":"info","msg":"last"}');

      await expect
        .poll(() => fieldsOf('pods', ['level', 'msg', 'log']), SOON)
        .toEqual([{ level: 'info', msg: 'ready' }, { log: 'half of a line' }, { level: 'info', msg: 'last' }]);
    });

    it.skipIf(!existsSync(JOURNAL_WRITER))('are those of units that were named, after a restart too', async () => {
      await journal('libvirtd.service', 'a guest starts');
      await journal('cron.service', 'of nobody');
      await expect.poll(() => messagesOfJournal(), SOON).toEqual(['a guest starts']);

      await collector[Symbol.asyncDispose]();
      await journal('kubelet.service', 'while nobody looked');
      collector = owned.use(await startCollector());

      await expect.poll(() => messagesOfJournal(), SOON).toEqual(['while nobody looked']);
    });

    it.skipIf(!existsSync(JOURNAL_WRITER))('are those of the kernel, and of no other stranger to units', async () => {
      await journal({ _TRANSPORT: 'syslog' }, 'of nobody');
      await journal({ _TRANSPORT: 'kernel' }, 'Out of memory: Killed process 7');

      await expect
        .poll(() => collector.records.filter((each) => 'transport' in each).map(({ message }) => message), SOON)
        .toEqual(['Out of memory: Killed process 7']);
    });

    it('can be asked for its health and its metrics', async () => {
      expect(await ask('/api/v1/health')).toContain('ok');
      expect(await ask('/api/v2/metrics/prometheus')).toContain('fluentbit_input_records_total');
    });
  },
);

/** Everything in the way a node has it, and a first line in each, so that it is there when the collector comes. */
async function prepareNode(): Promise<void> {
  const values = { logs: { enabled: true, nova: true } };
  const objects = renderedObjects(await renderChart(helm, { values, flags: ['--show-only=templates/logs.yaml'] }));
  const config = objects.find(({ kind }) => kind === 'ConfigMap');
  const { data }: { readonly data?: Readonly<Record<string, string>> } = Object(config);
  await writeFile(join(directory, 'fluent-bit.yaml'), data?.['fluent-bit.yaml'] ?? '');
  await writeFile(join(directory, 'machine-id'), `${MACHINE}\n`);
  await mkdir(join(directory, 'positions/logs'), { recursive: true });
  await mkdir(join(directory, 'log/journal', MACHINE), { recursive: true });
  if (existsSync(JOURNAL_WRITER)) await journal('libvirtd.service', 'before anybody looked');
}

async function startCollector(): Promise<Collector> {
  // Without the first it would outlive a test that is killed.
  const words = ['--pdeathsig', 'KILL', '--', 'unshare', '--mount', '--net', 'bash', '--norc', '-euc', NODE, 'node'];
  const child = spawn('setpriv', [...words, directory, fluentBit ?? ''], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // oxlint-disable-next-line node/no-process-env -- the programs of this machine
    env: { PATH: process.env['PATH'] ?? '', NODE_NAME: 'node-7' },
  });
  const records: Record<string, unknown>[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) records.push(Object(JSON.parse(line)));
  });
  const ended = once(child, 'exit');
  const dispose = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await ended;
  };
  const started: Collector = { child, records, [Symbol.asyncDispose]: dispose };
  await vi.waitFor(async () => expect(await ask('/api/v1/health', started)).toContain('ok'), SOON);
  return started;
}

/** What an address of the collector answers, asked from where it runs. */
async function ask(path: string, { child } = collector): Promise<string> {
  const get = `fetch('http://127.0.0.1:2020${path}').then((each) => each.text()).then(console.log)`;
  const { stdout } = await run('nsenter', [`--target=${child.pid}`, '--net', process.execPath, '--eval', get]);
  return stdout;
}

async function log(file: string, line: string): Promise<void> {
  const path = join(directory, 'log', file);
  await mkdir(resolve(path, '..'), { recursive: true });
  await appendFile(path, `${line}\n`);
}

/** Has a line written to the journal, in the format that journals are exported in. */
async function journal(source: string | Readonly<Record<string, string>>, message: string): Promise<void> {
  const fields = {
    __REALTIME_TIMESTAMP: `${Date.now()}000`,
    __MONOTONIC_TIMESTAMP: `${Math.round(performance.now() * 1_000)}`,
    _BOOT_ID: 'fedcba9876543210fedcba9876543210',
    _MACHINE_ID: MACHINE,
    ...(typeof source === 'string' ? { _SYSTEMD_UNIT: source } : source),
    MESSAGE: message,
  };
  const text = Object.entries(fields).map(([name, value]) => `${name}=${value}\n`);
  const running = run(JOURNAL_WRITER, ['-o', join(directory, 'log/journal', MACHINE, 'system.journal'), '-']);
  running.child.stdin?.end(`${text.join('')}\n`);
  await running;
}

function fieldsOf(folder: string, names: readonly string[]): readonly unknown[] {
  const found = collector.records.filter(({ file }) => String(file).startsWith(`/var/log/${folder}/`));
  const kept = found.map((each) =>
    Object.fromEntries(names.filter((name) => name in each).map((name) => [name, each[name]])),
  );
  return folder === 'pods' ? kept : kept.toSorted((a, b) => String(a['file']).localeCompare(String(b['file'])));
}

function messagesOfJournal(): readonly unknown[] {
  return collector.records.filter((each) => 'systemd_unit' in each).map(({ message }) => message);
}
