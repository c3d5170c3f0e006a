export type { Behaviour, MoveOutcome } from './behaviour.ts';
export type { Call } from './call-log.ts';
export type { Fault, FaultEffect, InjectedFault } from './faults.ts';
export type {
  AggregateOptions,
  HostChange,
  HostSnapshot,
  MoveSnapshot,
  ServerSnapshot,
  SimulatedFlavor,
  SimulatedHost,
  SimulatedOpenStack,
  SimulatedOpenStackOptions,
  SimulatedServer,
  SimulatedService,
} from './simulated-openstack.ts';
export { isSimulatorError, SimulatorError, type SimulatorErrorCode } from './simulator-error.ts';
export { SimulatorProcess, type SimulatorProcessOptions } from './simulator-process.ts';
export { startSimulatedOpenStack } from './start-simulated-openstack.ts';
