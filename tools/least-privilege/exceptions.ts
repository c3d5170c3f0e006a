import type { PrivilegeException } from './compare-rights.ts';

const OWNERS =
  'asked for by the admission plugin OwnerReferencesPermissionEnforcement, which the bed has on: never a request, but without it what is made is refused';

/**
 * Rights that no story uses and that stay, each of one account, and why. One that is used after all is red, too, and so is one by
 * chance that the chart does not give. An event is counted up where it comes again after ten seconds; `create`, without which
 * nothing is counted, every account has to use.
 */
export const NOT_SHOWN: readonly PrivilegeException[] = [
  {
    pattern: /^smalt-hypervisor-operator: update (?:nodes|hypervisors)\/finalizers(?: of kvm\.cloud\.sap)?$/v,
    reason: `Hypervisors keep their Nodes from going first, and Evictions their Hypervisors: ${OWNERS}`,
  },
  {
    pattern:
      /^smalt-virt-controller: update virtualmachine(?:s|instances|instancereplicasets|pools)\/finalizers of (?:pool\.)?kubevirt\.io$/v,
    reason: `pods, instances and machines keep those from going first that they are made for: ${OWNERS}`,
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
    pattern: /^smalt-hypervisor-operator: patch events in default$/v,
    reason: 'a check of a Hypervisor that fails again in the same words',
    isByChance: true,
  },
  {
    pattern: /^smalt-node-agent: patch events in default$/v,
    reason: 'a Hypervisor that is still missing, an evacuation that fails again',
    isByChance: true,
  },
  {
    pattern: /^smalt-node-agent: patch events in smalt-system$/v,
    reason: 'a migration that fails again in the same words',
    isByChance: true,
  },
  {
    pattern: /^smalt-scheduler: patch events$/v,
    reason: 'a pod that still fits nowhere',
    isByChance: true,
  },
  {
    pattern: /^smalt-virt-controller: patch events$/v,
    reason: 'a pod that is still refused, an evacuation that fails again',
    isByChance: true,
  },
  {
    pattern: /^smalt-virt-handler: patch events$/v,
    reason: 'a guest that fails to start again in the same words',
    isByChance: true,
  },
  {
    pattern: /^smalt-virt-controller: get pods$/v,
    reason:
      'what is there already is looked at, whether it is what was to be made: that takes a crash at the right moment; and before an instance whose pod is gone is given up, whether it is',
    isByChance: true,
  },
  {
    pattern: /^smalt-virt-controller: get virtualmachines of kubevirt\.io$/v,
    reason:
      'the same crash; and a pool whose template changes looks whether a machine is still its own before it restarts the instance',
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
