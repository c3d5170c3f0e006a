import { statusOfRefusal, type SubresourceDecision } from '@smalt/vm-admission';

import { refusal, statusOf } from '../virt-api-error.ts';

const MESSAGE =
  'volumes cannot be plugged into a guest while it runs: nothing brings their claims to its node yet; ' +
  'stop the virtual machine, add the volume to spec.template.spec.volumes and its disk, and start it again';

/** Refuses to plug a volume in: with what is wrong with the request, or else because it would wait for ever. */
export function refuseVolume(decision: SubresourceDecision): never {
  throw refusal(decision.kind === 'refuse' ? statusOfRefusal(decision) : statusOf(501, MESSAGE));
}
