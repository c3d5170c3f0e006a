export {
  isBadSetting,
  isInvalidPod,
  isPodRunnerError,
  PodRunnerError,
  type PodRunnerErrorCode,
} from './pod-runner-error.ts';
export type { PodRunnerOptions } from './pod-runner-options.ts';
export type { PodRunner } from './pod-runner.ts';
export { loadPodRunnerConfig, podRunnerFields, type PodRunnerConfig } from './settings/load-pod-runner-config.ts';
export { podRunnerSettings, type SettingsSurroundings } from './settings/pod-runner-settings.ts';
export { startPodRunner } from './start/start-pod-runner.ts';
