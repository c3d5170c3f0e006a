// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const rbac: PackageSource = {
  key: "rbac",
  component: "io.k8s.api.rbac.v1",
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kinds: ["ClusterRoleBinding clusterrolebindings cluster", "ClusterRole clusterroles cluster", "RoleBinding rolebindings namespaced", "Role roles namespaced"],
  enumerations: {
  },
  types: {
    AggregationRule: "\nclusterRoleSelectors 1 []meta/LabelSelector list=atomic",
    ClusterRole: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nrules 2 []PolicyRule always list=atomic\naggregationRule 3 AggregationRule *",
    ClusterRoleBinding: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nsubjects 2 []Subject list=atomic\nroleRef 3 RoleRef always required",
    PolicyRule: "\nverbs 1 []string always required list=atomic\napiGroups 2 []string list=atomic\nresources 3 []string list=atomic\nresourceNames 4 []string list=atomic\nnonResourceURLs 5 []string list=atomic",
    Role: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nrules 2 []PolicyRule always list=atomic",
    RoleBinding: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nsubjects 2 []Subject list=atomic\nroleRef 3 RoleRef always required",
    RoleRef: "atomic\napiGroup 1 string always\nkind 2 string always required\nname 3 string always required",
    Subject: "atomic\nkind 1 string always required\napiGroup 2 string\nname 3 string always required\nnamespace 4 string",
  },
};
