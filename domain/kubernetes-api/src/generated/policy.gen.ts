// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const policy: PackageSource = {
  key: "policy",
  component: "io.k8s.api.policy.v1",
  group: "policy",
  version: "v1",
  kinds: ["PodDisruptionBudget poddisruptionbudgets namespaced short=pdb status"],
  enumerations: {
    UnhealthyPodEvictionPolicyType: ["AlwaysAllow", "IfHealthyBudget"],
  },
  types: {
    Eviction: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\ndeleteOptions 2 meta/DeleteOptions *",
    PodDisruptionBudget: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 PodDisruptionBudgetSpec always\nstatus 3 PodDisruptionBudgetStatus always",
    PodDisruptionBudgetSpec: "\nminAvailable 1 intOrString *\nselector 2 meta/LabelSelector * patch=replace\nmaxUnavailable 3 intOrString *\nunhealthyPodEvictionPolicy 4 string=v1.UnhealthyPodEvictionPolicyType! *",
    PodDisruptionBudgetStatus: "\nobservedGeneration 1 int64\ndisruptedPods 2 {}time\ndisruptionsAllowed 3 int32 always\ncurrentHealthy 4 int32 always\ndesiredHealthy 5 int32 always\nexpectedPods 6 int32 always\nconditions 7 []meta/Condition list=map:type patch=merge:type",
  },
};
