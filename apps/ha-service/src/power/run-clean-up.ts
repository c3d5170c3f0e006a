import { BmcError, PROGRAM_PATH, runProgram } from '@smalt/bmc';

import { expandText } from './expand-text.ts';
import type { HostPowerFacts } from './host-power-facts.ts';
import type { CleanUpProgram } from './power-settings.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const SHOWN_CHARACTERS = 500;

/** Runs one program that clears away what a dead host left behind. Fails unless it ends with 0. */
export async function runCleanUp(program: CleanUpProgram, facts: HostPowerFacts, signal: AbortSignal): Promise<void> {
  const { name, timeoutMs = DEFAULT_TIMEOUT_MS } = program;
  const what = `clean-up ${name} for ${facts.name}`;
  const [path = '', ...words] = program.command.map((text) => expandText(text, facts));
  const known = words.filter((word) => word !== undefined);
  if (known.length < words.length) {
    const next = 'check the labels of its Hypervisor';
    throw new BmcError('no-such-system', `${what}: its command asks for what is not known of the host: ${next}`);
  }
  const deadline = AbortSignal.timeout(timeoutMs);
  const environment = { PATH: PROGRAM_PATH, LC_ALL: 'C', ...program.environment };
  const end = await runProgram(
    { program: path, arguments: known, environment },
    AbortSignal.any([signal, deadline]),
  ).catch((error: unknown) => {
    if (deadline.aborted && !signal.aborted) throw new BmcError('timeout', `${what}: not within ${timeoutMs} ms`);
    throw error;
  });
  if (end.exitCode === 0) return;
  const said = (end.stderr || end.stdout).trim().slice(0, SHOWN_CHARACTERS) || 'it printed nothing';
  throw new BmcError('refused', `${what}: ${path} ended with ${end.exitCode ?? 'a signal'}: ${said}`);
}
