import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { findProgram } from '@smalt/libvirt-daemon';

import { LocalOpenStackError } from './local-openstack-error.ts';
import { ServiceLog } from './service-log.ts';

const POLL_MS = 50;
const LAST_LINES = 15;

export interface ServiceOptions {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  readonly logPath: string;
}

/** One server of a cloud. It ends with the namespaces it runs in. */
export class ServiceProcess {
  readonly log: ServiceLog;
  readonly #child: ChildProcess;
  /** Resolves when the server has ended. Never rejects. */
  readonly ended: Promise<void>;
  #hasEnded = false;

  private constructor(options: ServiceOptions, child: ChildProcess) {
    this.log = new ServiceLog(options.name, options.logPath);
    this.#child = child;
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        this.#hasEnded = true;
        resolve();
      };
      child.once('exit', end);
      child.once('error', end);
    });
  }

  static async start(options: ServiceOptions): Promise<ServiceProcess> {
    const [program, ...words] = options.command;
    const path = await findProgram(program, 'util-linux');
    await using log = await open(options.logPath, 'a', 0o600);
    const child = spawn(path, words, {
      stdio: ['ignore', log.fd, log.fd],
      env: options.environment,
      cwd: '/',
      // Ctrl-C in a terminal is for the owner.
      detached: true,
    });
    return new ServiceProcess(options, child);
  }

  /** How it ended, and what it said last. */
  async lastWords(): Promise<string> {
    const status = this.#child.exitCode ?? this.#child.signalCode;
    return `${this.log.name} ended with ${String(status)}: ${await this.log.tail(LAST_LINES)}`;
  }

  /** Resolves once `isReady` says so; fails with the server's last words when it ends or time runs out. */
  async whenReady(isReady: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    while (!(await isReady())) {
      signal.throwIfAborted();
      if (this.#hasEnded) {
        throw new LocalOpenStackError('service-failed', await this.lastWords());
      }
      await delay(POLL_MS, undefined, { signal });
    }
  }
}
