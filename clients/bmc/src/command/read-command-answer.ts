import { isDeeperThan, isJsonObject, jsonField, parseJson } from '@smalt/json';

import { BmcError, type BmcErrorCode } from '../bmc-error.ts';
import type { PowerState } from '../power-controller.ts';
import type { ProgramEnd } from '../run-program.ts';
import { scrubSecrets } from '../scrub-secrets.ts';

/** One run of a command: which, and what its messages must not show. */
export interface CommandRun {
  readonly what: string;
  readonly secrets: readonly string[];
}

/** As sysexits.h has them; every other code but 0 is `refused`. */
const EXIT_CODES: ReadonlyMap<number, BmcErrorCode> = new Map([
  [64, 'bad-setting'],
  [68, 'no-such-system'],
  [69, 'unreachable'],
  [75, 'timeout'],
  [76, 'bad-answer'],
  [77, 'unauthorized'],
  [78, 'bad-setting'],
]);

const STATES: readonly PowerState[] = ['on', 'off', 'powering-on', 'powering-off', 'paused', 'unknown'];

/** Throws what the exit code of a command stands for, with what it printed on stderr. */
export function checkCommandEnd(end: ProgramEnd, run: CommandRun): void {
  if (end.exitCode === 0) return;
  const words = scrubSecrets(end.stderr, run.secrets) || 'nothing on stderr';
  if (end.exitCode === undefined) throw new BmcError('bad-answer', `${run.what}: killed by a signal: ${words}`);
  const code = EXIT_CODES.get(end.exitCode) ?? 'refused';
  throw new BmcError(code, `${run.what}: exit code ${end.exitCode}: ${words}`);
}

/** The state that a command printed: one word, or a JSON object with the field `power`. */
export function readCommandState(end: ProgramEnd, run: CommandRun): PowerState {
  checkCommandEnd(end, run);
  const text = end.stdout.trim();
  const word = text.startsWith('{') ? powerField(text) : text;
  const state = STATES.find((each) => each === word);
  if (state !== undefined) return state;
  const printed = scrubSecrets(text, run.secrets);
  const rule = `stdout has to be one of ${STATES.join(', ')}, or {"power": "off"}`;
  throw new BmcError('bad-answer', `${run.what}: ${rule}, not "${printed}"`);
}

function powerField(text: string): unknown {
  if (isDeeperThan(text, 16)) return undefined;
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? jsonField(value, 'power') : undefined;
  } catch {
    // The caller tells what was printed instead of JSON.
    return undefined;
  }
}
