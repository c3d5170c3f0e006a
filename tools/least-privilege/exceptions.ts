import type { PrivilegeException } from './compare-rights.ts';

/** Rights that no story uses and that stay, and why. One that is used after all is red, too. */
export const NOT_SHOWN: readonly PrivilegeException[] = [
  {
    pattern: /: update \w+\/finalizers/v,
    reason:
      'asked for by the admission plugin OwnerReferencesPermissionEnforcement, which the bed has on: never a request, but without it what is made is refused',
  },
  {
    pattern: /^smalt-virt-api: (?:get|update) (?:virtualmachineinstances|nodes)\/\w+ of subresources\.kubevirt\.io$/v,
    reason:
      'handlers ask the cluster for it; apps/virt-handler/src/node-api/server/rights-of-virt-api.test.ts compares them',
  },
  {
    pattern: /^smalt-console: impersonate hypervisors\/highavailability/v,
    reason: 'the HA service asks the cluster for it; apps/console/src/proxy/high-availability.test.ts has it asked',
  },
  {
    pattern: /^smalt-virt-controller: delete persistentvolumeclaims$/v,
    reason:
      'with virtController.deleteClaims alone: the same plugin asks for it where a pool keeps claims; nobody deletes one',
  },
  {
    pattern: /: patch events/v,
    reason: 'an event that comes again is counted up; most stories are too short for one to come again',
  },
  {
    pattern: /^smalt-hypervisor-operator: get evictions /v,
    reason: 'an eviction is read again when somebody else wrote to it at the same moment',
  },
  {
    pattern: /^smalt-virt-controller: get (?:pods|virtualmachines of kubevirt\.io)$/v,
    reason:
      'what is there already is looked at, whether it is what was to be made: that takes a crash at the right moment',
  },
  {
    pattern: /^smalt-pod-runner: create nodes$/v,
    reason: 'on a host alone, whose token is bound to no Node: with one, the Node is there already',
  },
];

/** Refusals that tests provoke, and why. One that is not seen any more is red, too. */
export const PROVOKED: readonly PrivilegeException[] = [
  {
    pattern: /cannot set blockOwnerDeletion in this case because cannot find RESTMapping/v,
    reason:
      'who enforces owners learns of a definition seconds after it is served, and is asked again: no right is missing',
    isByChance: true,
  },
  {
    // By the words of the policy: what a role refuses has other ones.
    pattern:
      /^smalt-ovs-agent: (?:create|patch) \S+\/(?:leases|ovsnodes\/n[12](?:\/status)?) in \w+ apps ovs-agent src permissions\.test\.ts: .* 'smalt-ovs-agent-own-node' denied request/v,
    reason: 'it tries what is about another node, and a token that says no node',
  },
  {
    pattern:
      /^smalt-console: (?:get \S+\/configmaps\/another|list \S+\/(?:smalt-system\/secrets|default\/configmaps)|delete \S+\/smalt-console-signed-out) in \w+ apps console src session shared-signed-out\.test\.ts: /v,
    reason: 'it tries what is beyond the one ConfigMap that the console may read and write',
  },
  {
    pattern:
      /^smalt-ha-service: create \S+\/(?:shop\/virtualmachineinstancemigrations|smalt-smoke-tests\/virtualmachineinstances) in \w+ adapters vm-compute src permissions\.test\.ts: /v,
    reason: 'it tries what the HA service may not do: move instances and make them',
  },
  {
    pattern:
      /^smalt-hypervisor-operator: delete \S+\/shop\/virtualmachineinstances\/p-vm in \w+ adapters vm-compute src permissions\.test\.ts: /v,
    reason: 'it tries what the operator may not do outside of its own namespace',
  },
];
