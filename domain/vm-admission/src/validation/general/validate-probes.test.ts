import { describe, expect, it } from 'vitest';

import { judge } from '../../fixtures/judge.ts';
import { invalid, required } from '../../cause.ts';
import { spec, withInterface, withVolume } from '../../fixtures/small-instance.ts';

describe('the rules about probes and credentials', () => {
  const secret = { secret: { secretName: 'keys' } };

  it.each([
    {
      rule: 'a probe asks in one way',
      bad: spec({ readinessProbe: { exec: { command: ['true'] }, guestAgentPing: {} } }),
      causes: [invalid('spec.readinessProbe', 'spec.readinessProbe must have exactly one probe type set')],
      good: spec({ readinessProbe: { exec: { command: ['true'] } } }),
    },
    {
      rule: 'a probe asks at all',
      bad: spec({ livenessProbe: {} }),
      causes: [
        required(
          'spec.livenessProbe',
          'either spec.livenessProbe.tcpSocket, spec.livenessProbe.exec or spec.livenessProbe.httpGet must be set if a spec.livenessProbe is specified',
        ),
      ],
      good: spec({ livenessProbe: { guestAgentPing: {} } }),
    },
    {
      rule: 'a probe over TCP needs the pod network',
      bad: spec({ livenessProbe: { tcpSocket: { port: 22 } } }),
      causes: [
        invalid(
          'spec.livenessProbe.tcpSocket',
          'spec.livenessProbe.tcpSocket is only allowed if the Pod Network is attached',
        ),
      ],
      good: { ...withInterface({}), livenessProbe: { tcpSocket: { port: 22 } } },
    },
    {
      rule: 'a probe over HTTP needs the pod network',
      bad: spec({ readinessProbe: { httpGet: { port: 80 } } }),
      causes: [
        invalid(
          'spec.readinessProbe.httpGet',
          'spec.readinessProbe.httpGet is only allowed if the Pod Network is attached',
        ),
      ],
      good: { ...withInterface({}), readinessProbe: { httpGet: { port: 80 } } },
    },
    {
      rule: 'a credential is of some type',
      bad: spec({ accessCredentials: [{}] }),
      causes: [
        invalid(
          'spec.accessCredentials[0]',
          'spec.accessCredentials[0] must have exactly one access credential type set',
        ),
      ],
      good: spec({
        accessCredentials: [{ userPassword: { source: secret, propagationMethod: { qemuGuestAgent: {} } } }],
      }),
    },
    {
      rule: 'a password has a source and a way',
      bad: spec({ accessCredentials: [{ userPassword: { source: {}, propagationMethod: {} } }] }),
      causes: [
        invalid(
          'spec.accessCredentials[0].userPassword.source',
          'spec.accessCredentials[0] must have exactly one source set',
        ),
        invalid(
          'spec.accessCredentials[0].userPassword.propagationMethod',
          'spec.accessCredentials[0] must have exactly one propagationMethod set',
        ),
      ],
      good: spec({ accessCredentials: [] }),
    },
    {
      rule: 'a key has a source and a way',
      bad: spec({ accessCredentials: [{ sshPublicKey: { source: {}, propagationMethod: {} } }] }),
      causes: [
        invalid(
          'spec.accessCredentials[0].sshPublicKey.source',
          'spec.accessCredentials[0] must have exactly one source set',
        ),
        invalid(
          'spec.accessCredentials[0].sshPublicKey.propagationMethod',
          'spec.accessCredentials[0] must have exactly one propagationMethod set',
        ),
      ],
      good: spec({
        accessCredentials: [
          { sshPublicKey: { source: secret, propagationMethod: { qemuGuestAgent: { users: ['root'] } } } },
        ],
      }),
    },
    {
      rule: 'a key for the guest agent is for somebody',
      bad: spec({
        accessCredentials: [{ sshPublicKey: { source: secret, propagationMethod: { qemuGuestAgent: { users: [] } } } }],
      }),
      causes: [
        invalid(
          'spec.accessCredentials[0].sshPublicKey.propagationMethod.qemuGuestAgent.users',
          'spec.accessCredentials[0] requires at least one user to be present in the users list',
        ),
      ],
      good: spec(),
    },
    {
      rule: 'a key through NoCloud needs such a volume',
      bad: spec({ accessCredentials: [{ sshPublicKey: { source: secret, propagationMethod: { noCloud: {} } } }] }),
      causes: [
        invalid(
          'spec.accessCredentials[0].sshPublicKey.propagationMethod',
          'spec.accessCredentials[0] requires a noCloud volume to exist when the noCloud propagationMethod is in use.',
        ),
      ],
      good: {
        ...withVolume({ cloudInitNoCloud: { userData: '#cloud-config' } }),
        accessCredentials: [{ sshPublicKey: { source: secret, propagationMethod: { noCloud: {} } } }],
      },
    },
    {
      rule: 'a key through a config drive needs such a volume',
      bad: spec({ accessCredentials: [{ sshPublicKey: { source: secret, propagationMethod: { configDrive: {} } } }] }),
      causes: [
        invalid(
          'spec.accessCredentials[0].sshPublicKey.propagationMethod',
          'spec.accessCredentials[0] requires a configDrive volume to exist when the configDrive propagationMethod is in use.',
        ),
      ],
      good: {
        ...withVolume({ cloudInitConfigDrive: { userData: '#cloud-config' } }),
        accessCredentials: [{ sshPublicKey: { source: secret, propagationMethod: { configDrive: {} } } }],
      },
    },
  ])('$rule', ({ bad, causes, good }) => {
    expect(judge(bad)).toEqual(causes);
    expect(judge(good)).toEqual([]);
  });
});
