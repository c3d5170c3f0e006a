// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const meta: PackageSource = {
  key: "meta",
  component: "io.k8s.apimachinery.pkg.apis.meta.v1",
  group: "meta.k8s.io",
  version: "v1",
  kinds: [],
  enumerations: {
  },
  types: {
    Condition: "\ntype 1 string always required\nstatus 2 string=v1.ConditionStatus always required\nobservedGeneration 3 int64\nlastTransitionTime 4 time always required\nreason 5 string always required\nmessage 6 string always required",
    DeleteOptions: "\nkind 0 string\napiVersion 0 string\ngracePeriodSeconds 1 int64 *\npreconditions 2 Preconditions *\norphanDependents 3 bool *\npropagationPolicy 4 string=v1.DeletionPropagation *\ndryRun 5 []string list=atomic\nignoreStoreReadErrorWithClusterBreakingPotential 6 bool *",
    FieldSelectorRequirement: "\nkey 1 string always required\noperator 2 string=v1.FieldSelectorOperator always required\nvalues 3 []string list=atomic",
    LabelSelector: "atomic\nmatchLabels 1 {}string\nmatchExpressions 2 []LabelSelectorRequirement list=atomic",
    LabelSelectorRequirement: "\nkey 1 string always required\noperator 2 string=v1.LabelSelectorOperator always required\nvalues 3 []string list=atomic",
    ListMeta: "\nselfLink 1 string\nresourceVersion 2 string\ncontinue 3 string\nremainingItemCount 4 int64 *\nshardInfo 5 ShardInfo *",
    ManagedFieldsEntry: "\nmanager 1 string\noperation 2 string=v1.ManagedFieldsOperationType\napiVersion 3 string\ntime 4 time *\nfieldsType 6 string\nfieldsV1 7 fields *\nsubresource 8 string",
    ObjectMeta: "\nname 1 string\ngenerateName 2 string\nnamespace 3 string\nselfLink 4 string\nuid 5 string=types.UID\nresourceVersion 6 string\ngeneration 7 int64\ncreationTimestamp 8 time\ndeletionTimestamp 9 time *\ndeletionGracePeriodSeconds 10 int64 *\nlabels 11 {}string\nannotations 12 {}string\nownerReferences 13 []OwnerReference list=map:uid patch=merge:uid\nfinalizers 14 []string list=set patch=merge\nmanagedFields 17 []ManagedFieldsEntry list=atomic",
    OwnerReference: "atomic\napiVersion 5 string always required\nkind 1 string always required\nname 3 string always required\nuid 4 string=types.UID always required\ncontroller 6 bool *\nblockOwnerDeletion 7 bool *",
    PartialObjectMetadata: "\nkind 0 string\napiVersion 0 string\nmetadata 1 ObjectMeta always",
    Preconditions: "\nuid 1 string=types.UID *\nresourceVersion 2 string *",
    ShardInfo: "\nselector 1 string always required",
    Status: "\nkind 0 string\napiVersion 0 string\nmetadata 1 ListMeta always\nstatus 2 string\nmessage 3 string\nreason 4 string=v1.StatusReason\ndetails 5 StatusDetails *\ncode 6 int32",
    StatusCause: "\nreason 1 string=v1.CauseType\nmessage 2 string\nfield 3 string",
    StatusDetails: "\nname 1 string\ngroup 2 string\nkind 3 string\nuid 6 string=types.UID\ncauses 4 []StatusCause list=atomic\nretryAfterSeconds 5 int32",
    WatchEvent: "\ntype 1 string always required\nobject 2 raw always required",
  },
};
