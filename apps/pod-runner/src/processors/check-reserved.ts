import { PodRunnerError } from '../pod-runner-error.ts';
import type { HostProcessor } from './host-processor.ts';

/** Refuses processors that cannot be kept for the machine, in a sentence that names them. */
export function checkReserved(
  reserved: readonly number[],
  machine: { readonly processors: readonly HostProcessor[]; readonly canConfine: boolean },
): void {
  if (reserved.length === 0) return;
  const known = machine.processors.map(({ id }) => id);
  const stranger = reserved.find((id) => !known.includes(id));
  if (stranger !== undefined) throw refusal(`there is no processor ${stranger} here; there are ${known.join(', ')}`);
  if (!machine.canConfine) throw refusal('this machine has no cgroup controller cpuset, which it needs');
}

function refusal(reason: string): PodRunnerError {
  return new PodRunnerError('bad-setting', `reservedProcessors: ${reason}`);
}
