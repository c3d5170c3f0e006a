// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const autoscalingV2: PackageSource = {
  key: "autoscaling-v2",
  component: "io.k8s.api.autoscaling.v2",
  group: "autoscaling",
  version: "v2",
  kinds: ["HorizontalPodAutoscaler horizontalpodautoscalers namespaced short=hpa category=all status"],
  enumerations: {
  },
  types: {
    ContainerResourceMetricSource: "\nname 1 string=v1.ResourceName always required\ntarget 2 MetricTarget always required\ncontainer 3 string always required",
    ContainerResourceMetricStatus: "\nname 1 string=v1.ResourceName always required\ncurrent 2 MetricValueStatus always required\ncontainer 3 string always required",
    CrossVersionObjectReference: "\nkind 1 string always required\nname 2 string always required\napiVersion 3 string",
    ExternalMetricSource: "\nmetric 1 MetricIdentifier always required\ntarget 2 MetricTarget always required",
    ExternalMetricStatus: "\nmetric 1 MetricIdentifier always required\ncurrent 2 MetricValueStatus always required",
    HPAScalingPolicy: "\ntype 1 string=v2.HPAScalingPolicyType always required\nvalue 2 int32 always required\nperiodSeconds 3 int32 always required",
    HPAScalingRules: "\nstabilizationWindowSeconds 3 int32 *\nselectPolicy 1 string=v2.ScalingPolicySelect *\npolicies 2 []HPAScalingPolicy list=atomic\ntolerance 4 quantity *",
    HorizontalPodAutoscaler: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 HorizontalPodAutoscalerSpec always required\nstatus 3 HorizontalPodAutoscalerStatus always",
    HorizontalPodAutoscalerBehavior: "\nscaleUp 1 HPAScalingRules *\nscaleDown 2 HPAScalingRules *",
    HorizontalPodAutoscalerCondition: "\ntype 1 string=v2.HorizontalPodAutoscalerConditionType always required\nstatus 2 string=v1.ConditionStatus always required\nlastTransitionTime 3 time always\nreason 4 string\nmessage 5 string",
    HorizontalPodAutoscalerSpec: "\nscaleTargetRef 1 CrossVersionObjectReference always required\nminReplicas 2 int32 *\nmaxReplicas 3 int32 always required\nmetrics 4 []MetricSpec list=atomic\nbehavior 5 HorizontalPodAutoscalerBehavior *",
    HorizontalPodAutoscalerStatus: "\nobservedGeneration 1 int64 *\nlastScaleTime 2 time *\ncurrentReplicas 3 int32\ndesiredReplicas 4 int32 always required\ncurrentMetrics 5 []MetricStatus always list=atomic\nconditions 6 []HorizontalPodAutoscalerCondition list=map:type patch=merge:type",
    MetricIdentifier: "\nname 1 string always required\nselector 2 meta/LabelSelector *",
    MetricSpec: "\ntype 1 string=v2.MetricSourceType always required\nobject 2 ObjectMetricSource *\npods 3 PodsMetricSource *\nresource 4 ResourceMetricSource *\ncontainerResource 7 ContainerResourceMetricSource *\nexternal 5 ExternalMetricSource *",
    MetricStatus: "\ntype 1 string=v2.MetricSourceType always required\nobject 2 ObjectMetricStatus *\npods 3 PodsMetricStatus *\nresource 4 ResourceMetricStatus *\ncontainerResource 7 ContainerResourceMetricStatus *\nexternal 5 ExternalMetricStatus *",
    MetricTarget: "\ntype 1 string=v2.MetricTargetType always required\nvalue 2 quantity *\naverageValue 3 quantity *\naverageUtilization 4 int32 *",
    MetricValueStatus: "\nvalue 1 quantity *\naverageValue 2 quantity *\naverageUtilization 3 int32 *",
    ObjectMetricSource: "\ndescribedObject 1 CrossVersionObjectReference always required\ntarget 2 MetricTarget always required\nmetric 3 MetricIdentifier always required",
    ObjectMetricStatus: "\nmetric 1 MetricIdentifier always required\ncurrent 2 MetricValueStatus always required\ndescribedObject 3 CrossVersionObjectReference always required",
    PodsMetricSource: "\nmetric 1 MetricIdentifier always required\ntarget 2 MetricTarget always required",
    PodsMetricStatus: "\nmetric 1 MetricIdentifier always required\ncurrent 2 MetricValueStatus always required",
    ResourceMetricSource: "\nname 1 string=v1.ResourceName always required\ntarget 2 MetricTarget always required",
    ResourceMetricStatus: "\nname 1 string=v1.ResourceName always required\ncurrent 2 MetricValueStatus always required",
  },
};
