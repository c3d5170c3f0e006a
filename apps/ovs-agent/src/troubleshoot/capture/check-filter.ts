import type { CaptureFilter } from '../filter/capture-filter.ts';
import { filterError } from '../filter/filter-words.ts';
import { printFilter } from '../filter/print-filter.ts';
import { isOvsAgentError } from '../../ovs-agent-error.ts';
import { runProgram } from './run-program.ts';

/** Has tcpdump compile the filter, which opens no device. What it cannot compile is refused with its own words. */
export async function checkFilter(
  tcpdump: readonly string[],
  filter: CaptureFilter,
  signal: AbortSignal,
): Promise<void> {
  try {
    await runProgram([...tcpdump, '-y', 'EN10MB', '-d', printFilter(filter)], signal);
  } catch (error) {
    if (!isOvsAgentError(error) || error.cause !== undefined) throw error;
    const words = error.message.replace(/^tcpdump: /, '').replaceAll(/\s+/g, ' ');
    throw filterError(`tcpdump cannot use it: ${words}`);
  }
}
