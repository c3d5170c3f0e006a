// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const batch: PackageSource = {
  key: "batch",
  component: "io.k8s.api.batch.v1",
  group: "batch",
  version: "v1",
  kinds: ["CronJob cronjobs namespaced short=cj category=all status", "Job jobs namespaced category=all status"],
  enumerations: {
    CompletionMode: ["Indexed", "NonIndexed"],
    ConcurrencyPolicy: ["Allow", "Forbid", "Replace"],
    PodFailurePolicyAction: ["Count", "FailIndex", "FailJob", "Ignore"],
    PodFailurePolicyOnExitCodesOperator: ["In", "NotIn"],
    PodReplacementPolicy: ["Failed", "TerminatingOrFailed"],
  },
  types: {
    CronJob: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 CronJobSpec always required\nstatus 3 CronJobStatus always",
    CronJobSpec: "\nschedule 1 string always required\ntimeZone 8 string *\nstartingDeadlineSeconds 2 int64 *\nconcurrencyPolicy 3 string=v1.ConcurrencyPolicy!\nsuspend 4 bool *\njobTemplate 5 JobTemplateSpec always required\nsuccessfulJobsHistoryLimit 6 int32 *\nfailedJobsHistoryLimit 7 int32 *",
    CronJobStatus: "\nactive 1 []core/ObjectReference list=atomic\nlastScheduleTime 4 time *\nlastSuccessfulTime 5 time *",
    Job: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 JobSpec always\nstatus 3 JobStatus always",
    JobCondition: "\ntype 1 string=v1.JobConditionType always required\nstatus 2 string=v1.ConditionStatus always required\nlastProbeTime 3 time always\nlastTransitionTime 4 time always\nreason 5 string\nmessage 6 string",
    JobSpec: "\nparallelism 1 int32 *\ncompletions 2 int32 *\nactiveDeadlineSeconds 3 int64 *\npodFailurePolicy 11 PodFailurePolicy *\nsuccessPolicy 16 SuccessPolicy *\nbackoffLimit 7 int32 *\nbackoffLimitPerIndex 12 int32 *\nmaxFailedIndexes 13 int32 *\nselector 4 meta/LabelSelector *\nmanualSelector 5 bool *\ntemplate 6 core/PodTemplateSpec always required\nttlSecondsAfterFinished 8 int32 *\ncompletionMode 9 string=v1.CompletionMode! *\nsuspend 10 bool *\npodReplacementPolicy 14 string=v1.PodReplacementPolicy! *\nmanagedBy 15 string *",
    JobStatus: "\nconditions 1 []JobCondition list=atomic patch=merge:type\nstartTime 2 time *\ncompletionTime 3 time *\nactive 4 int32\nsucceeded 5 int32\nfailed 6 int32\nterminating 11 int32 *\ncompletedIndexes 7 string\nfailedIndexes 10 string *\nuncountedTerminatedPods 8 UncountedTerminatedPods *\nready 9 int32 *",
    JobTemplateSpec: "\nmetadata 1 meta/ObjectMeta always\nspec 2 JobSpec always",
    PodFailurePolicy: "\nrules 1 []PodFailurePolicyRule always required list=atomic",
    PodFailurePolicyOnExitCodesRequirement: "\ncontainerName 1 string *\noperator 2 string=v1.PodFailurePolicyOnExitCodesOperator! always required\nvalues 3 []int32 always required list=set",
    PodFailurePolicyOnPodConditionsPattern: "\ntype 1 string=v1.PodConditionType always required\nstatus 2 string=v1.ConditionStatus always",
    PodFailurePolicyRule: "\naction 1 string=v1.PodFailurePolicyAction! always required\nonExitCodes 2 PodFailurePolicyOnExitCodesRequirement *\nonPodConditions 3 []PodFailurePolicyOnPodConditionsPattern list=atomic",
    SuccessPolicy: "\nrules 1 []SuccessPolicyRule always required list=atomic",
    SuccessPolicyRule: "\nsucceededIndexes 1 string *\nsucceededCount 2 int32 *",
    UncountedTerminatedPods: "\nsucceeded 1 []string=types.UID list=set\nfailed 2 []string=types.UID list=set",
  },
};
