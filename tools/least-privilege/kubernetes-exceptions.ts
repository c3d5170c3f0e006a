import type { PrivilegeException } from './compare-rights.ts';
import type { RightsAway } from './rights-away.ts';

/** Refusals that tests on the real API server provoke, beside those of the stories, and why. One that a whole run has not seen is red. */
export const PROVOKED_ON_KUBERNETES: readonly PrivilegeException[] = [
  {
    pattern:
      /: (?:create|patch) .* is forbidden: unable to create new content in namespace \S+ because it is being terminated$/v,
    reason: 'a namespace that goes takes nothing new, whoever asks: no right is missing',
    isByChance: true,
  },
  {
    // By the words of policies, and of the plugin for owners: what a role refuses has other ones.
    pattern:
      /^smalt-(?:node-agent|ovs-agent|pod-runner|virt-handler): .* in \w+ scenarios a-stolen-token-writes-nothing-elsewhere\.test\.ts: .* (?:denied request|cannot set an ownerRef)/v,
    reason: 'it tries with the token of one node what is about another',
  },
  {
    pattern:
      /^smalt-virt-handler: .* in \w+ scenarios a-stolen-token-writes-no-instance-elsewhere\.test\.ts: .* denied request/v,
    reason: 'it tries with the token of one node what is about instances of another, without virt-api',
  },
  {
    pattern:
      /^smalt-(?:certificates|virt-api): .* in \w+ scenarios a-stolen-token-takes-no-rights\.test\.ts: .* (?:denied request|cannot set an ownerRef)/v,
    reason: 'it tries to become more by what the account may write',
  },
  {
    pattern:
      /^smalt-(?:node-agent|pod-runner|virt-api|virt-handler): .* in \w+ apps (?:node-agent|pod-runner|virt-api) src deploy (?:own-hypervisor|policies)\.test\.ts: .* denied request/v,
    reason: 'it tries what the policies of the account are there to refuse',
  },
  {
    pattern:
      /^smalt-virt-api: create \S+\/smalt-virt-controller\/token in \w+ apps virt-api src deploy policies\.test\.ts: /v,
    reason: 'it tries to have a token made of another account than its own',
  },
];

/** Tests that start the API server anew while components run under their accounts, or take rights away from them. */
export const RIGHTS_AWAY: readonly RightsAway[] = [
  {
    file: 'apps/console/src/session/shared-signed-out.test.ts',
    reason: 'who signed out meanwhile is written down when the API server comes back',
  },
  {
    file: 'apps/node-agent/src/one-agent-per-node.test.ts',
    reason: 'the agent goes on when the API server comes back after its Lease has run out',
  },
  {
    file: 'apps/node-agent/src/start-node-agent.test.ts',
    reason: 'the agent goes on when the API server comes back',
  },
  {
    file: 'apps/node-agent/src/reboot/reboot-part.test.ts',
    reason: 'a reboot that was asked for is told when the API server comes back',
  },
  {
    file: 'apps/ha-service/src/cluster/open-cluster.test.ts',
    reason: 'the HA service goes on when the API server comes back',
  },
  {
    file: 'apps/ovs-agent/src/report/status-reporter.test.ts',
    reason: 'what the switch said meanwhile is written when the API server comes back',
  },
  {
    file: 'apps/pod-runner/src/start/restart.test.ts',
    reason: 'pods are left alone while the API server is away',
  },
  {
    file: 'apps/virt-api/src/renewed-certificate.test.ts',
    reason: 'it takes the right to its certificate away, and virt-api tells that it cannot care for it',
  },
  {
    file: 'apps/virt-handler/src/sync/handler-faults.test.ts',
    reason: 'guests are left alone while the API server is away',
  },
  {
    file: 'scenarios/a-controller-catches-up-with-what-it-missed.test.ts',
    reason: 'the controller reads anew what it watched before, which the server has forgotten',
  },
  {
    file: 'scenarios/a-migration-is-told-whatever-fails.test.ts',
    reason: 'what happened while the API server was away is told when it comes back',
  },
  {
    file: 'scenarios/a-retry-is-a-migration-of-its-own.test.ts',
    reason: 'journeys that were made while the API server was away are told when it comes back',
  },
  {
    file: 'scenarios/smalt-is-installed-by-its-pages.slow.test.ts',
    reason: 'a release that is removed loses its roles before its pods have ended',
  },
  {
    file: 'scenarios/the-ovs-agent-tells-the-truth.test.ts',
    reason: 'what the switch said meanwhile is written when the API server comes back',
  },
];
