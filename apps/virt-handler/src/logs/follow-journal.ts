import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

import { isJsonObject, JsonError, parseJson, type JsonObject, type JsonValue } from '@smalt/json';
import type { LogLine } from '@smalt/vm-api';

import { LineSplitter } from './line-splitter.ts';

export interface FollowJournalOptions {
  /** The program, with the words before its own. */
  readonly journalctl: readonly string[];
  /** Names and patterns of units. */
  readonly units: readonly string[];
  readonly lines: number;
  readonly isFollowed: boolean;
}

const PATH = '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const FIELDS = 'MESSAGE,_SYSTEMD_UNIT,SYSLOG_IDENTIFIER';
const MICROSECONDS_PER_MILLISECOND = 1_000;

/** The last lines of some units in the journal of this machine, then what they write. Ends where there is no journal. */
export async function* followJournal(
  { journalctl: [program = 'journalctl', ...words], units, lines, isFollowed }: FollowJournalOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly LogLine[], void> {
  const output = ['--output=json', `--output-fields=${FIELDS}`, '--no-pager', '--quiet', `--lines=${lines}`];
  const chosen = units.map((unit) => `--unit=${unit}`);
  const child = spawn(program, [...words, ...output, ...chosen, ...(isFollowed ? ['--follow'] : [])], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH, LC_ALL: 'C' },
    signal,
    killSignal: 'SIGKILL',
  });
  // Whoever iterates hears of it by the end of its output.
  child.on('error', () => undefined);
  try {
    const splitter = new LineSplitter();
    for await (const chunk of child.stdout) {
      const found = splitter.push(chunk).flatMap((text) => journalLine(text) ?? []);
      if (found.length > 0) yield found;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    child.kill('SIGKILL');
  }
}

/** One line of `journalctl --output=json`; undefined for what is none. */
export function journalLine(text: string): LogLine | undefined {
  const entry = objectIn(text);
  if (entry === undefined) return undefined;
  const { MESSAGE: message, _SYSTEMD_UNIT: unit, SYSLOG_IDENTIFIER: identifier, __REALTIME_TIMESTAMP: time } = entry;
  const at = Number(time) / MICROSECONDS_PER_MILLISECOND;
  const source = [unit, identifier].find((each) => typeof each === 'string') ?? 'journal';
  return {
    source,
    text: messageText(message),
    ...(Number.isFinite(at) && at > 0 ? { at: new Date(at).toISOString() } : {}),
  };
}

/** What is no text to the journal, such as colours, it tells as a list of bytes. */
function messageText(message: JsonValue | undefined): string {
  if (typeof message === 'string') return message;
  return Array.isArray(message) ? Buffer.from(message.map(Number)).toString('utf8') : '';
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    // A line that was cut because it is too long.
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** Whether there is a program to read the journal with. */
export async function hasJournal([program]: readonly string[]): Promise<boolean> {
  if (program === undefined) return false;
  const places = isAbsolute(program) ? [program] : PATH.split(':').map((directory) => join(directory, program));
  const found = await Promise.allSettled(places.map((place) => access(place, constants.X_OK)));
  return found.some(({ status }) => status === 'fulfilled');
}
