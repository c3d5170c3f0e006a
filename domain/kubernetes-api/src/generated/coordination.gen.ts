// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const coordination: PackageSource = {
  key: "coordination",
  component: "io.k8s.api.coordination.v1",
  group: "coordination.k8s.io",
  version: "v1",
  kinds: ["Lease leases namespaced"],
  enumerations: {
  },
  types: {
    Lease: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 LeaseSpec always",
    LeaseSpec: "\nholderIdentity 1 string *\nleaseDurationSeconds 2 int32 *\nacquireTime 3 microtime *\nrenewTime 4 microtime *\nleaseTransitions 5 int32 *\nstrategy 6 string=v1.CoordinatedLeaseStrategy *\npreferredHolder 7 string *",
  },
};
