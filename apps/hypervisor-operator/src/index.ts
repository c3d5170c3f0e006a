export { allControllers } from './all-controllers.ts';
export { openStackOpener } from './hosts/openstack-opener.ts';
export { virtualMachinesOpener } from './hosts/virtual-machines-opener.ts';
export type { OperatorContext } from './operator-context.ts';
export { isBadSetting, isKindsChanged, OperatorError, type OperatorErrorCode } from './operator-error.ts';
export type {
  ComputeSurroundings,
  LeaderElectionPlace,
  OpenCompute,
  OpenedCompute,
  Operator,
  OperatorOptions,
} from './operator-options.ts';
export { loadOperatorConfig, operatorFields } from './settings/load-operator-config.ts';
export type { OperatorConfig } from './settings/operator-config.ts';
export type { OpenStackSettings, OperatorSettings } from './settings/operator-settings.ts';
export { withPasswordOfCommand } from './settings/run-password-command.ts';
export { splitConfig, type SplitConfig } from './settings/split-config.ts';
export { startOperator } from './start-operator.ts';
