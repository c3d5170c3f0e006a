// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const autoscaling: PackageSource = {
  key: "autoscaling",
  component: "io.k8s.api.autoscaling.v1",
  group: "autoscaling",
  version: "v1",
  kinds: ["HorizontalPodAutoscaler horizontalpodautoscalers namespaced short=hpa category=all status"],
  enumerations: {
  },
  types: {
    CrossVersionObjectReference: "atomic\nkind 1 string always required\nname 2 string always required\napiVersion 3 string",
    HorizontalPodAutoscaler: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 HorizontalPodAutoscalerSpec always required\nstatus 3 HorizontalPodAutoscalerStatus always",
    HorizontalPodAutoscalerSpec: "\nscaleTargetRef 1 CrossVersionObjectReference always required\nminReplicas 2 int32 *\nmaxReplicas 3 int32 always required\ntargetCPUUtilizationPercentage 4 int32 *",
    HorizontalPodAutoscalerStatus: "\nobservedGeneration 1 int64 *\nlastScaleTime 2 time *\ncurrentReplicas 3 int32 always required\ndesiredReplicas 4 int32 always required\ncurrentCPUUtilizationPercentage 5 int32 *",
    Scale: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 ScaleSpec always\nstatus 3 ScaleStatus always",
    ScaleSpec: "\nreplicas 1 int32 default=0",
    ScaleStatus: "\nreplicas 1 int32 always required\nselector 2 string",
  },
};
