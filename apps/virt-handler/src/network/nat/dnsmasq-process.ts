import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';

import type { Clock } from '@smalt/controller-runtime';
import { readIfThere } from '@smalt/files';
import { findProgram, SYSTEM_PATH } from '@smalt/libvirt-daemon';
import { findProcess, type SandboxProcess } from '@smalt/pod-sandbox';

import { VirtHandlerError } from '../../virt-handler-error.ts';
import type { HostCommands } from '../host-commands.ts';

const DNSMASQ = { name: 'dnsmasq', debianPackage: 'dnsmasq-base' } as const;
const START_MS = 10_000;
const LOOK_MS = 10;
const MOST_WORDS = 500;

export interface DnsmasqStart {
  readonly configFile: string;
  /** dnsmasq writes it once its ports are open. */
  readonly pidFile: string;
  readonly logFile: string;
  readonly commands: HostCommands;
  readonly clock: Clock;
}

/** The dnsmasq that runs with this file; undefined when none does. */
export async function findDnsmasq({ configFile, pidFile }: DnsmasqStart): Promise<SandboxProcess | undefined> {
  const pid = Number.parseInt(await readIfThere(pidFile), 10);
  if (!Number.isSafeInteger(pid) || pid < 2) return undefined;
  const found = await findProcess(pid);
  const words = (await readIfThere(`/proc/${pid}/cmdline`)).split('\0');
  // Another process may have that number by now.
  return words.includes(configParameter(configFile)) ? found : undefined;
}

/** What is in the program that would be started. Throws `missing-program`. */
export async function digestOfDnsmasq(): Promise<string> {
  const path = await findProgram(DNSMASQ.name, DNSMASQ.debianPackage);
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

/** Starts one that outlives this process, and waits until it serves. Throws `network-failed` with its last words. */
export async function startDnsmasq(start: DnsmasqStart, signal: AbortSignal): Promise<SandboxProcess> {
  const { clock, logFile } = start;
  const child = await spawnDetached(start);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const deadline = clock.monotonic() + START_MS;
  let found = await findDnsmasq(start);
  while (found === undefined && child.exitCode === null && clock.monotonic() < deadline) {
    await Promise.race([clock.wait(LOOK_MS, signal), ended]);
    found = await findDnsmasq(start);
  }
  if (found) return found;
  child.kill('SIGKILL');
  const said = (await readIfThere(logFile)).trim().slice(-MOST_WORDS);
  throw new VirtHandlerError('network-failed', `dnsmasq did not start: ${said === '' ? 'it said nothing' : said}`);
}

async function spawnDetached({ configFile, logFile, commands }: DnsmasqStart): Promise<ReturnType<typeof spawn>> {
  await findProgram(DNSMASQ.name, DNSMASQ.debianPackage);
  const [program, words] = commands.wrap(DNSMASQ, ['--keep-in-foreground', configParameter(configFile)]);
  const path = await findProgram(program.name, program.debianPackage);
  await using log = await open(logFile, 'w', 0o600);
  const child = spawn(path, words, {
    stdio: ['ignore', log.fd, log.fd],
    cwd: '/',
    env: { PATH: SYSTEM_PATH, LC_ALL: 'C' },
    detached: true,
  });
  await once(child, 'spawn');
  child.unref();
  return child;
}

function configParameter(configFile: string): string {
  return `--conf-file=${configFile}`;
}
