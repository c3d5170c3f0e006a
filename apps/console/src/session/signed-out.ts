import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { writeFileSafely } from '@smalt/files';
import { messageOf } from '@smalt/service-runtime';

import type { ConsoleClock } from '../console-clock.ts';
import { ConsoleError } from '../console-error.ts';
import type { EndedSessions } from './ended-sessions.ts';

const LINE = /^(?<id>[\w-]{1,64}) (?<until>\d{1,16})$/;

/** Sessions that were ended, as one process knows them; in a file if there is one. */
export class SignedOut implements EndedSessions {
  readonly #clock: ConsoleClock;
  readonly #path: string | undefined;
  readonly #until: Map<string, number>;

  private constructor(clock: ConsoleClock, path: string | undefined, until: Map<string, number>) {
    this.#clock = clock;
    this.#path = path;
    this.#until = until;
  }

  /** Reads the file, and writes it anew without what is over. A path that cannot be used is refused. */
  static async open(path: string | undefined, clock: ConsoleClock): Promise<SignedOut> {
    if (path === undefined) return new SignedOut(clock, path, new Map());
    try {
      const until = linesOf(await readIfThere(path), clock.now());
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFileSafely(path, Array.from(until, line).join(''));
      return new SignedOut(clock, path, until);
    } catch (error) {
      const message = `signedOutFile: ${path} cannot be used: ${messageOf(error)}`;
      throw new ConsoleError('bad-setting', message, { cause: error });
    }
  }

  has(id: string): boolean {
    return this.#until.has(id);
  }

  /** There is no elsewhere. */
  onEnded(): void {}

  async add(id: string, until: number): Promise<void> {
    if (this.#until.has(id)) return;
    const now = this.#clock.now();
    for (const [known, end] of this.#until) if (end <= now) this.#until.delete(known);
    this.#until.set(id, until);
    if (this.#path !== undefined) await appendFile(this.#path, line([id, until]), { mode: 0o600 });
  }
}

function line([id, until]: readonly [string, number]): string {
  return `${id} ${Math.ceil(until)}\n`;
}

function linesOf(text: string, now: number): Map<string, number> {
  const until = new Map<string, number>();
  for (const each of text.split('\n')) {
    const { id, until: end } = LINE.exec(each)?.groups ?? {};
    if (id !== undefined && Number(end) > now) until.set(id, Number(end));
  }
  return until;
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
