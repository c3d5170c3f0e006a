export { judgeInstance, type InstanceJudgement, type JudgedInstance } from './judge-instance.ts';
export { policyProblems } from './policy-problems.ts';
export {
  defaultRecoveryPolicy,
  MarkSource,
  RecoveryMethod,
  type HostSelector,
  type InstanceRules,
  type RecoveryPolicy,
  type RecoverySegment,
} from './recovery-policy.ts';
export { defaultSegment, segmentOf, type HostCover, type HostPlace } from './segment-of.ts';
