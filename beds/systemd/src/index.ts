export { SystemdBedError, type SystemdBedErrorCode } from './error.ts';
export type { MachineOptions } from './machine-options.ts';
export type { MachineEnd } from './start-keeper.ts';
export { startSystemd } from './start-systemd.ts';
export type { SystemdMachine } from './systemd-machine.ts';
