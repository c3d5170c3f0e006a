import { incapabilitiesOf, type Incapability } from './incapability.ts';

/** What cannot be asked of a guest that the host has no channel to. */
export const withoutGuestAgent: readonly Incapability[] = [
  ...incapabilitiesOf(
    [
      'accessCredentials[*].sshPublicKey.propagationMethod.qemuGuestAgent',
      'accessCredentials[*].userPassword.propagationMethod.qemuGuestAgent',
    ],
    {
      reason: 'has no channel to an agent in the guest',
      instead: 'hand keys over by noCloud or configDrive, and passwords by cloud-init',
    },
  ),
  ...incapabilitiesOf(
    ['livenessProbe.exec', 'livenessProbe.guestAgentPing', 'readinessProbe.exec', 'readinessProbe.guestAgentPing'],
    { reason: 'has no channel to an agent in the guest', instead: 'probe it by httpGet or tcpSocket' },
  ),
];
