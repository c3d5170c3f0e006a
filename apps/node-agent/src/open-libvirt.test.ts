import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtempDisposable, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { lendCapabilities } from '@smalt/bed-libvirt';
import { startSystemd } from '@smalt/bed-systemd';
import { connect } from '@smalt/libvirt';
import { describe, expect, it } from 'vitest';

import { endManagedDaemon } from './fixtures/end-managed-daemon.ts';
import { openLibvirt } from './open-libvirt.ts';

it('takes a daemon of the host as it is', async () => {
  const choice = { kind: 'host', uri: 'qemu+tcp://127.0.0.1:1/system' } as const;

  await using opened = await openLibvirt({ choice, onDeath: () => undefined }, new AbortController().signal);

  expect(opened.uri).toBe(choice.uri);
});

describe('a managed daemon', { timeout: 60_000 }, () => {
  it('is started again when it dies', async () => {
    await using place = await managedPlace();
    const died = Promise.withResolvers<number>();
    const options = { choice: place.choice, onDeath: died.resolve };
    await using opened = await openLibvirt(options, new AbortController().signal);
    const type = await typeAt(opened.uri);

    process.kill(opened.pid ?? 0, 'SIGKILL');
    const delayMs = await died.promise;

    await expect.poll(() => typeAt(opened.uri).catch(() => 'away'), { timeout: 20_000 }).toBe(type);
    expect({ type, delayMs }).toEqual({ type: 'QEMU', delayMs: 250 });
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('and its guests outlive an agent that %s ends', async (signal) => {
    await using place = await managedPlace();
    await using agent = startAgentProcess(place.state);
    const uri = await agent.ready;
    const pid = await daemonPid(place.choice.directory);
    const guest = await createGuest(uri, place.choice.directory);

    const status = await agent.end(signal);
    const options = { choice: place.choice, onDeath: () => undefined };
    await using next = await openLibvirt(options, new AbortController().signal);

    expect({ status, pid: next.pid }).toEqual({ status: signal === 'SIGTERM' ? 0 : null, pid });
    expect(await programOf(guest)).toContain('qemu-system');
    await using connection = await connect(next.uri);
    expect(await connection.connectNumOfDomains()).toBe(1);
  });

  it('stays when systemd ends the service of the agent and all that belongs to it', async () => {
    await using machine = await startSystemd({
      units: { 'agent.service': '[Service]\nExecStart=/run/bed/node /run/bed/agent.mjs\n' },
    });
    const shared = machine.sharedDirectory;
    await cp(process.execPath, join(shared, 'node'));
    const runtime = join(import.meta.dirname, '../../../runtime');
    await cp(join(runtime, 'libvirt-daemon/src'), join(shared, 'src'), { recursive: true });
    await cp(join(runtime, 'files'), join(shared, 'files'), { recursive: true });
    await mkdir(join(shared, 'node_modules/@smalt'), { recursive: true });
    await symlink('../../files', join(shared, 'node_modules/@smalt/files'));
    await writeFile(join(shared, 'agent.mjs'), SERVICE);
    await machine.systemctl(['start', 'agent.service']);
    await expect.poll(() => readdir(shared), { timeout: 20_000 }).toContain('opened');
    const pid = await daemonPid(join(shared, 'd'));

    await machine.systemctl(['stop', 'agent.service']);

    expect(await machine.exec(['cat', `/proc/${pid}/cmdline`])).toContain('libvirtd');
    expect(await machine.exec(['cat', `/proc/${pid}/cgroup`])).toMatch(/\.scope$/m);
  });
});

const SERVICE = `import { writeFile } from 'node:fs/promises';
import { openDetachedLibvirtd } from './src/index.ts';
await openDetachedLibvirtd({ directory: '/run/bed/d', drivers: 'test' });
await writeFile('/run/bed/opened', '');
setInterval(() => undefined, 1_000);
`;

const GUEST = `<domain type='qemu'><name>guest</name><memory unit='MiB'>16</memory>
<os><type arch='x86_64' machine='pc'>hvm</type></os>
<devices><controller type='usb' model='none'/><memballoon model='none'/></devices></domain>`;

interface ManagedPlace extends AsyncDisposable {
  readonly state: string;
  readonly choice: { readonly kind: 'managed'; readonly directory: string };
}

/** A state directory; when it is disposed of, its libvirtd and its guests end. */
async function managedPlace(): Promise<ManagedPlace> {
  const root = await mkdtempDisposable(join(tmpdir(), 'smalt-managed-'));
  const directory = join(root.path, 'libvirt');
  await lendCapabilities(directory);
  const dispose = async (): Promise<void> => {
    await endManagedDaemon(directory);
    await root.remove();
  };
  return { state: root.path, choice: { kind: 'managed', directory }, [Symbol.asyncDispose]: dispose };
}

async function daemonPid(directory: string): Promise<number> {
  const { pid } = Object(JSON.parse(await readFile(join(directory, 'daemon.json'), 'utf8')));
  return Number(pid);
}

async function guestPid(directory: string): Promise<number> {
  return Number(await readFile(join(directory, 'run/qemu/guest.pid'), 'utf8'));
}

/** The words a process was started with; none when it is gone, or about to be. */
async function programOf(pid: number): Promise<string> {
  return await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}

async function typeAt(uri: string): Promise<string> {
  await using connection = await connect(uri);
  return await connection.connectGetType();
}

async function createGuest(uri: string, directory: string): Promise<number> {
  await using connection = await connect(uri);
  await connection.domainCreateXml({ xml: GUEST });
  return await guestPid(directory);
}

interface AgentProcess extends AsyncDisposable {
  /** Resolves with the address of its daemon. */
  readonly ready: Promise<string>;
  end(signal: NodeJS.Signals): Promise<unknown>;
}

/** An agent in a process of its own, which ends in good order at SIGTERM. There is no API for it, and need not be. */
function startAgentProcess(state: string): AgentProcess {
  const code = `import { createLogger } from '@smalt/service-runtime';
    import { startNodeAgent } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))};
    const kubeConfig = { server: 'http://127.0.0.1:1', namespace: 'default', tls: { isInsecure: false }, identity: { kind: 'anonymous' } };
    const stop = new AbortController();
    process.once('SIGTERM', () => stop.abort());
    const libvirt = { kind: 'managed', directory: process.argv[1] + '/libvirt' };
    const logger = createLogger({ name: 'agent', level: 'error', destination: process.stderr });
    const options = { nodeName: 'managed', kubeConfig, libvirt, stateDirectory: process.argv[1], logger };
    const agent = await startNodeAgent(options, stop.signal);
    console.log(agent.context.session.uri);
    await agent.ended;
    await agent[Symbol.asyncDispose]();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code, state], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const end = async (signal: NodeJS.Signals): Promise<unknown> => {
    child.kill(signal);
    const [status] = await closed;
    return status;
  };
  const ended = closed.then(() => Promise.reject(new Error('the agent ended before it was ready')));
  const ready = Promise.race([once(child.stdout, 'data').then(([line]) => String(line).trim()), ended]);
  return { ready, end, [Symbol.asyncDispose]: async () => void (await end('SIGKILL')) };
}
