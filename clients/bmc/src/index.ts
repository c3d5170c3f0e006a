export {
  BmcError,
  isBmcError,
  isFateUnknown,
  isLasting,
  type BmcErrorCode,
  type BmcErrorOptions,
} from './bmc-error.ts';
export { systemClock, type Clock } from './clock.ts';
export { createCommandController, type CommandSettings } from './command/command-controller.ts';
export { createIpmiController } from './ipmi/ipmi-controller.ts';
export type { IpmiSettings } from './ipmi/ipmi-settings.ts';
export type { PowerController, PowerReading, PowerState } from './power-controller.ts';
export { PROGRAM_PATH } from './program-path.ts';
export { RedfishController } from './redfish/redfish-controller.ts';
export type { RedfishOptions, RedfishSettings } from './redfish/redfish-settings.ts';
export { runProgram, type ProgramCall, type ProgramEnd } from './run-program.ts';
export { Secret } from '@smalt/secret';
