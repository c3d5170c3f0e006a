import { DomainShutoffReason as Reason } from '@smalt/libvirt';
import { VirtualMachineInstancePhase as Phase } from '@smalt/vm-api';
import { graceSeconds } from '@smalt/vm-lifecycle';

import { isToEnd } from './is-to-end.ts';
import type { SyncFacts } from './sync-facts.ts';
import { failed, succeeded, type Verdict } from './verdict.ts';

/** Says how an instance ended whose domain is off, by the reason that libvirt gives for it. */
export function judgeEnd(facts: SyncFacts, shutoffReason: number): Verdict {
  switch (shutoffReason) {
    case Reason.shutdown:
      return succeeded('GuestShutDown', 'The guest was shut down.');
    case Reason.saved:
    case Reason.fromSnapshot:
      return succeeded('GuestStopped', 'The guest was stopped, and its state was kept.');
    case Reason.destroyed:
      return judgeDestroyed(facts);
    case Reason.crashed:
      return failed('GuestCrashed', 'The guest crashed, or its process was killed; look at its log on the node.');
    case Reason.failed:
      return failed('GuestStopped', 'libvirt could not keep the guest running; look at its log on the node.');
    case Reason.daemon:
      return failed('GuestStopped', 'libvirt lost the guest and ended it.');
    case Reason.migrated:
      return failed('GuestStopped', 'The guest left for another node that does not have it.');
    default:
      return judgeUnknown(facts);
  }
}

/** Says how an instance ended whose domain is gone altogether. */
export function judgeGone({ wasRebooted, nodeName }: SyncFacts): Verdict {
  if (wasRebooted) return failed('NodeRebooted', `The node ${nodeName} was booted anew, and the guest went with it.`);
  return failed('DomainGone', 'The domain is gone from libvirt; somebody on the node has removed it.');
}

/** A guest that had its time to shut down and did not is not taken for one that did. */
function judgeDestroyed(facts: SyncFacts): Verdict {
  const { instance, sandbox } = facts;
  if (!isToEnd(facts)) {
    if (sandbox === 'gone') return failed('LauncherGone', 'The launcher pod ended, and the guest with it.');
    return failed('GuestDestroyed', 'The guest was switched off on the node by somebody.');
  }
  if (instance.status?.phase === Phase.scheduled) {
    return succeeded('DeletedBeforeStart', 'The instance was deleted before it was started.');
  }
  const seconds = graceSeconds(instance);
  if (seconds === 0) return succeeded('GuestDestroyed', 'The guest was switched off, as it had no time to shut down.');
  const message = `The guest did not shut down within ${seconds} s and was switched off; give it more by terminationGracePeriodSeconds.`;
  return failed('GracePeriodExpired', message);
}

function judgeUnknown(facts: SyncFacts): Verdict {
  if (facts.wasRebooted) return judgeGone(facts);
  return failed('EndUnknown', 'The guest ended while nobody looked; libvirt does not know why.');
}
