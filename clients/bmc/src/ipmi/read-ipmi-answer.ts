import { BmcError, type BmcErrorCode } from '../bmc-error.ts';
import type { ProgramEnd } from '../run-program.ts';
import { scrubSecrets } from '../scrub-secrets.ts';

/** One run of ipmitool: whom it asked, and what its messages must not show. */
export interface IpmiRun {
  readonly what: string;
  readonly secrets: readonly string[];
}

const STATES = new Map<string, 'on' | 'off'>([
  ['Chassis Power is on', 'on'],
  ['Chassis Power is off', 'off'],
]);

/** The first that matches what ipmitool 1.8 prints wins; every failure of its has exit code 1. */
const FAILURES: readonly { readonly pattern: RegExp; readonly code: BmcErrorCode; readonly hint?: string }[] = [
  {
    pattern: /invalid (authentication|integrity|confidentiality) algorithm|no (matching )?cipher suite/i,
    code: 'bad-setting',
    hint: 'set a cipherSuite that it knows',
  },
  {
    pattern: /HMAC is invalid|unauthorized (name|role)|invalid role|insufficient privilege|inactive (role|session)/i,
    code: 'unauthorized',
  },
  { pattern: /insufficient resources/i, code: 'refused', hint: 'it has too many sessions' },
  { pattern: /(Set Chassis Power Control to \S+|Get Chassis Power Status) failed/i, code: 'refused' },
  {
    pattern: /Address lookup for .* failed|Could not open socket|Get Auth Capabilities error|Unable to establish/i,
    code: 'unreachable',
  },
];

/** The state that `chassis power status` printed. Anything but exactly that line is a `bad-answer`. */
export function readIpmiState(end: ProgramEnd, run: IpmiRun): 'on' | 'off' {
  checkIpmiEnd(end, run);
  const state = STATES.get(end.stdout.trim());
  if (state === undefined) throw unexpected(end, run);
  return state;
}

/** Makes sure that ipmitool says that the controller took the command. */
export function checkIpmiCommand(end: ProgramEnd, run: IpmiRun, wanted: 'on' | 'off'): void {
  checkIpmiEnd(end, run);
  const expected = wanted === 'off' ? 'Chassis Power Control: Down/Off' : 'Chassis Power Control: Up/On';
  if (end.stdout.trim() !== expected) throw unexpected(end, run);
}

function checkIpmiEnd(end: ProgramEnd, run: IpmiRun): void {
  if (end.exitCode === 0) return;
  const failure = FAILURES.find(({ pattern }) => pattern.test(end.stderr));
  if (failure === undefined) throw unexpected(end, run);
  const hint = failure.hint === undefined ? '' : ` (${failure.hint})`;
  throw new BmcError(failure.code, `${run.what}: ${lastWords(end.stderr, run)}${hint}`);
}

function unexpected({ exitCode, stdout, stderr }: ProgramEnd, run: IpmiRun): BmcError {
  const end = exitCode === undefined ? 'was killed' : `ended with ${exitCode}`;
  const words = scrubSecrets(`${stdout} ${stderr}`, run.secrets);
  return new BmcError('bad-answer', `${run.what}: ipmitool ${end} and printed "${words}"`);
}

/** What -v prints on every run says nothing. */
function lastWords(stderr: string, run: IpmiRun): string {
  const telling = stderr.split('\n').filter((line) => !/^(Loading IANA|Running Get|Discovered IPMB)/.test(line));
  return scrubSecrets(telling.join(' '), run.secrets);
}
