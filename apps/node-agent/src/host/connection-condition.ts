import type { ConditionStatement } from '@smalt/controller-runtime';
import { HypervisorConditionReason, HypervisorConditionType } from '@smalt/fleet-api';
import type { SessionState } from '@smalt/libvirt';

const REASON = HypervisorConditionReason.LibVirtConnection;

/** Whether a libvirt daemon runs on the host by the word of its service manager; undefined where nobody can tell. */
export type ServiceState = 'running' | 'not-running' | undefined;

export interface ConnectionFacts {
  readonly session: SessionState;
  readonly service: ServiceState;
  /** What went wrong with a connection that is up, in words. */
  readonly failures: readonly string[];
}

/** The condition `LibVirtConnection`; nothing before the first attempt has ended. */
export function connectionCondition({ session, service, failures }: ConnectionFacts): ConditionStatement | undefined {
  const type = HypervisorConditionType.libvirtConnection;
  switch (session.kind) {
    case 'connecting':
      return undefined;
    case 'connected':
      if (failures.length === 0) return { type, status: 'True', reason: REASON.connected, message: '' };
      return { type, status: 'False', reason: REASON.processFailed, message: failures.join('; ') };
    case 'waiting':
      if (service === 'not-running') {
        const message = 'libvirtd service is not running';
        return { type, status: 'False', reason: REASON.libvirtServiceNotRunning, message };
      }
      return connectFailed(session.error.message);
    case 'closed':
      return connectFailed(session.error?.message ?? 'the agent has stopped');
  }
}

function connectFailed(reason: string): ConditionStatement {
  return {
    type: HypervisorConditionType.libvirtConnection,
    status: 'False',
    reason: REASON.connectFailed,
    message: `unable to connect to libvirtd: ${reason}`,
  };
}
