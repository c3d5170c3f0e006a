// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const apps: PackageSource = {
  key: "apps",
  component: "io.k8s.api.apps.v1",
  group: "apps",
  version: "v1",
  kinds: ["ControllerRevision controllerrevisions namespaced", "DaemonSet daemonsets namespaced short=ds category=all status", "Deployment deployments namespaced short=deploy category=all sub=scale:autoscaling/v1/Scale:get,patch,update status", "ReplicaSet replicasets namespaced short=rs category=all sub=scale:autoscaling/v1/Scale:get,patch,update status", "StatefulSet statefulsets namespaced short=sts category=all sub=scale:autoscaling/v1/Scale:get,patch,update status"],
  enumerations: {
    DaemonSetUpdateStrategyType: ["OnDelete", "RollingUpdate"],
    DeploymentStrategyType: ["Recreate", "RollingUpdate"],
    PodManagementPolicyType: ["OrderedReady", "Parallel"],
    StatefulSetUpdateStrategyType: ["OnDelete", "RollingUpdate"],
  },
  types: {
    ControllerRevision: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\ndata 2 raw always\nrevision 3 int64 always required",
    DaemonSet: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 DaemonSetSpec always\nstatus 3 DaemonSetStatus always",
    DaemonSetCondition: "\ntype 1 string=v1.DaemonSetConditionType always required\nstatus 2 string=v1.ConditionStatus always required\nlastTransitionTime 3 time always\nreason 4 string\nmessage 5 string",
    DaemonSetSpec: "\nselector 1 meta/LabelSelector * always required\ntemplate 2 core/PodTemplateSpec always required\nupdateStrategy 3 DaemonSetUpdateStrategy always\nminReadySeconds 4 int32\nrevisionHistoryLimit 6 int32 *",
    DaemonSetStatus: "\ncurrentNumberScheduled 1 int32 always required\nnumberMisscheduled 2 int32 always required\ndesiredNumberScheduled 3 int32 always required\nnumberReady 4 int32 always required\nobservedGeneration 5 int64\nupdatedNumberScheduled 6 int32\nnumberAvailable 7 int32\nnumberUnavailable 8 int32\ncollisionCount 9 int32 *\nconditions 10 []DaemonSetCondition list=map:type patch=merge:type",
    DaemonSetUpdateStrategy: "\ntype 1 string=v1.DaemonSetUpdateStrategyType!\nrollingUpdate 2 RollingUpdateDaemonSet *",
    Deployment: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 DeploymentSpec always\nstatus 3 DeploymentStatus always",
    DeploymentCondition: "\ntype 1 string=v1.DeploymentConditionType always required\nstatus 2 string=v1.ConditionStatus always required\nlastUpdateTime 6 time always\nlastTransitionTime 7 time always\nreason 4 string\nmessage 5 string",
    DeploymentSpec: "\nreplicas 1 int32 *\nselector 2 meta/LabelSelector * always required\ntemplate 3 core/PodTemplateSpec always required\nstrategy 4 DeploymentStrategy always patch=retainKeys\nminReadySeconds 5 int32\nrevisionHistoryLimit 6 int32 *\npaused 7 bool\nprogressDeadlineSeconds 9 int32 *",
    DeploymentStatus: "\nobservedGeneration 1 int64\nreplicas 2 int32\nupdatedReplicas 3 int32\nreadyReplicas 7 int32\navailableReplicas 4 int32\nunavailableReplicas 5 int32\nterminatingReplicas 9 int32 *\nconditions 6 []DeploymentCondition list=map:type patch=merge:type\ncollisionCount 8 int32 *",
    DeploymentStrategy: "\ntype 1 string=v1.DeploymentStrategyType!\nrollingUpdate 2 RollingUpdateDeployment *",
    ReplicaSet: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 ReplicaSetSpec always\nstatus 3 ReplicaSetStatus always",
    ReplicaSetCondition: "\ntype 1 string=v1.ReplicaSetConditionType always required\nstatus 2 string=v1.ConditionStatus always required\nlastTransitionTime 3 time always\nreason 4 string\nmessage 5 string",
    ReplicaSetSpec: "\nreplicas 1 int32 *\nminReadySeconds 4 int32\nselector 2 meta/LabelSelector * always required\ntemplate 3 core/PodTemplateSpec always",
    ReplicaSetStatus: "\nreplicas 1 int32 always required\nfullyLabeledReplicas 2 int32\nreadyReplicas 4 int32\navailableReplicas 5 int32\nterminatingReplicas 7 int32 *\nobservedGeneration 3 int64\nconditions 6 []ReplicaSetCondition list=map:type patch=merge:type",
    RollingUpdateDaemonSet: "\nmaxUnavailable 1 intOrString *\nmaxSurge 2 intOrString *",
    RollingUpdateDeployment: "\nmaxUnavailable 1 intOrString *\nmaxSurge 2 intOrString *",
    RollingUpdateStatefulSetStrategy: "\npartition 1 int32 *\nmaxUnavailable 2 intOrString *",
    StatefulSet: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 StatefulSetSpec always\nstatus 3 StatefulSetStatus always",
    StatefulSetCondition: "\ntype 1 string=v1.StatefulSetConditionType always required\nstatus 2 string=v1.ConditionStatus always required\nlastTransitionTime 3 time always\nreason 4 string\nmessage 5 string",
    StatefulSetOrdinals: "\nstart 1 int32 always",
    StatefulSetPersistentVolumeClaimRetentionPolicy: "\nwhenDeleted 1 string=v1.PersistentVolumeClaimRetentionPolicyType\nwhenScaled 2 string=v1.PersistentVolumeClaimRetentionPolicyType",
    StatefulSetSpec: "\nreplicas 1 int32 *\nselector 2 meta/LabelSelector * always required\ntemplate 3 core/PodTemplateSpec always required\nvolumeClaimTemplates 4 []core/PersistentVolumeClaim list=atomic\nserviceName 5 string always\npodManagementPolicy 6 string=v1.PodManagementPolicyType!\nupdateStrategy 7 StatefulSetUpdateStrategy always\nrevisionHistoryLimit 8 int32 *\nminReadySeconds 9 int32\npersistentVolumeClaimRetentionPolicy 10 StatefulSetPersistentVolumeClaimRetentionPolicy *\nordinals 11 StatefulSetOrdinals *",
    StatefulSetStatus: "\nobservedGeneration 1 int64\nreplicas 2 int32 always required\nreadyReplicas 3 int32\ncurrentReplicas 4 int32\nupdatedReplicas 5 int32\ncurrentRevision 6 string\nupdateRevision 7 string\ncollisionCount 9 int32 *\nconditions 10 []StatefulSetCondition list=map:type patch=merge:type\navailableReplicas 11 int32 always",
    StatefulSetUpdateStrategy: "\ntype 1 string=v1.StatefulSetUpdateStrategyType!\nrollingUpdate 2 RollingUpdateStatefulSetStrategy *",
  },
};
