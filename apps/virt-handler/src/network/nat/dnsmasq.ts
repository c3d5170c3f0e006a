import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readIfThere, writeFileSafely } from '@smalt/files';
import { isProcessRunning, leavePods, signalProcess, type SandboxProcess } from '@smalt/pod-sandbox';
import type { Logger } from '@smalt/service-runtime';

import { dhcpHostLine, dnsmasqConfig, type DhcpGuest } from './dnsmasq-config.ts';
import { digestOfDnsmasq, findDnsmasq, startDnsmasq, type DnsmasqStart } from './dnsmasq-process.ts';
import type { NatPlace } from './plan-bridge.ts';

const LOOK_MS = 10;
const END_MS = 5_000;
/** With the second version of cgroups that of dnsmasq, beside the cgroup of all pods. */
const CGROUP = 'smalt/networks';

export interface DnsmasqOptions extends NatPlace, Pick<DnsmasqStart, 'commands' | 'clock'> {
  /** Where its files lie; nobody else may use them. */
  readonly directory: string;
  readonly nameServers: readonly string[];
  readonly logger: Logger;
}

/**
 * The dnsmasq that gives guests their addresses and tells them names. It outlives this process, and its pod where it is in
 * one, and is found again by its files. Not for use by two at a time.
 */
export class Dnsmasq {
  readonly #options: DnsmasqOptions;
  /** A file for each guest; dnsmasq reads a new one at once. */
  readonly #guests: string;
  /** A file for each address that a guest had since dnsmasq was started, with the card that it is for. */
  readonly #given: string;
  /** What some guests are told beside their addresses, a file for each kind of it. */
  readonly #told: string;
  readonly #start: DnsmasqStart;
  #program: string | undefined;

  constructor(options: DnsmasqOptions) {
    const { directory, commands, clock } = options;
    this.#options = options;
    this.#guests = join(directory, 'guests');
    this.#given = join(directory, 'given');
    this.#told = join(directory, 'options');
    this.#start = {
      commands,
      clock,
      configFile: join(directory, 'dnsmasq.conf'),
      pidFile: join(directory, 'dnsmasq.pid'),
      logFile: join(directory, 'dnsmasq.log'),
    };
  }

  /** Gives the one that runs, or a new one; one of another version, or with other settings, is replaced. */
  async ensure(signal: AbortSignal): Promise<SandboxProcess> {
    const running = await this.#ensureProcess(signal);
    const { logger } = this.#options;
    // A container runtime ends what is in the cgroup of a pod that goes. One that a handler left there is taken out as well.
    await leavePods(running.processId, CGROUP).catch((error: unknown) => {
      logger.warn({ step: 'nat', error }, 'dnsmasq cannot leave the pod of this handler, and would end with it');
    });
    return running;
  }

  async #ensureProcess(signal: AbortSignal): Promise<SandboxProcess> {
    const { configFile } = this.#start;
    const config = await this.#config();
    const running = await findDnsmasq(this.#start);
    if (running && (await readIfThere(configFile)) === config) return running;
    await this.stop(signal);
    await mkdir(this.#guests, { recursive: true, mode: 0o755 });
    await mkdir(this.#told, { recursive: true, mode: 0o755 });
    await rm(this.#given, { recursive: true, force: true });
    await replaceFile(configFile, config);
    return await startDnsmasq(this.#start, signal);
  }

  async #config(): Promise<string> {
    const { pidFile } = this.#start;
    const user = accountIn(await readIfThere('/etc/passwd'));
    const program = (this.#program ??= await digestOfDnsmasq());
    const files = { hostsDirectory: this.#guests, optionsDirectory: this.#told, pidFile };
    return dnsmasqConfig({ ...this.#options, ...files, user, program });
  }

  /** Ends the one that runs, if any, and waits until it is gone. */
  async stop(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const running = await findDnsmasq(this.#start);
    if (!running) return;
    const deadline = clock.monotonic() + END_MS;
    await signalProcess(running, 'SIGTERM');
    while (await isProcessRunning(running)) {
      if (clock.monotonic() > deadline) await signalProcess(running, 'SIGKILL');
      await clock.wait(LOOK_MS, signal);
    }
  }

  /** Lets the card of a guest have an address. The name of the file is the caller's, and stands for the card for good. */
  async give(file: string, guest: DhcpGuest, signal: AbortSignal): Promise<SandboxProcess> {
    const given = join(this.#given, guest.address);
    const last = await readIfThere(given);
    // dnsmasq keeps an address for a card that had it, for a day, and cannot be told otherwise.
    if (last !== '' && last !== guest.mac) await this.stop(signal);
    const running = await this.ensure(signal);
    await mkdir(this.#given, { recursive: true, mode: 0o700 });
    await writeFile(given, guest.mac);
    if (guest.options) await ensureFile(join(this.#told, guest.options.tag), guest.options.text);
    await ensureFile(join(this.#guests, file), dhcpHostLine(guest));
    return running;
  }

  async take(file: string): Promise<void> {
    await rm(join(this.#guests, file), { force: true });
  }

  /** The files of all guests. */
  async guests(): Promise<readonly string[]> {
    await mkdir(this.#guests, { recursive: true, mode: 0o755 });
    // dnsmasq reads neither drafts, whose names begin so, nor those that an earlier handler left.
    return (await readdir(this.#guests)).filter((name) => !name.startsWith('.') && !name.endsWith('~'));
  }
}

/** Debian has an account for it; elsewhere it is nobody. */
function accountIn(passwd: string): string {
  return /^dnsmasq:/m.test(passwd) ? 'dnsmasq' : 'nobody';
}

/** dnsmasq reads a file again whenever it is written. */
async function ensureFile(path: string, text: string): Promise<void> {
  if ((await readIfThere(path)) !== text) await replaceFile(path, text);
}

/** Whoever starts dnsmasq after a loss of power compares first, and writes what is damaged anew. */
async function replaceFile(path: string, text: string): Promise<void> {
  await writeFileSafely(path, text, { mode: 0o644, isDurable: false });
}
