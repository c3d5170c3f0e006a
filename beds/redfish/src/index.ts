export { system, type BedSystem, type PowerSwitch } from './bed-system.ts';
export { makeAuthority, type TestAuthority } from './make-authority.ts';
export { errorBody, sendJson } from './redfish-answer.ts';
export type { RedfishFaults } from './redfish-faults.ts';
export { at, PASSWORD, USER, type RedfishAnswering, type SeenRequest } from './redfish-service.ts';
export { startRedfish, type BedRedfish, type RedfishBedOptions } from './start-redfish.ts';
