import type { OptionBodies } from './read-options.ts';

/** How a subresource is served. */
type SubresourceKind =
  /** Goes on as a websocket between the client and the node. */
  | 'stream'
  /** One question, one answer. */
  | 'call'
  /** Is known to clients of this API and not served here. */
  | 'missing';

/** A subresource of this API. */
export interface SubresourceRoute {
  /** `virtualmachineinstances/evacuate/cancel`, or `version` for what belongs to no object. */
  readonly name: string;
  readonly method: 'GET' | 'PUT';
  readonly kind: SubresourceKind;
  /** Whether it stands in a namespace. */
  readonly isNamespaced: boolean;
  /** Where discovery leaves it out. */
  readonly isHidden?: boolean;
  /** The name of the kind that its body has to have the form of. */
  readonly body?: keyof OptionBodies | 'VirtualMachine';
}

const VMI = 'virtualmachineinstances';
const VM = 'virtualmachines';

/** All subresources of the API, in the order of discovery. */
export const SUBRESOURCE_ROUTES: readonly SubresourceRoute[] = [
  put('expand-vm-spec', 'VirtualMachine'),
  { ...stream('nodes/logs'), isNamespaced: false },
  { ...stream('nodes/usage'), isNamespaced: false },
  put(`${VMI}/addvolume`, 'AddVolumeOptions'),
  { ...put(`${VMI}/backup`), kind: 'missing' },
  stream(`${VMI}/console`),
  put(`${VMI}/evacuate/cancel`, 'EvacuateCancelOptions'),
  get(`${VMI}/filesystemlist`),
  put(`${VMI}/freeze`, 'FreezeUnfreezeTimeout'),
  get(`${VMI}/guestosinfo`),
  stream(`${VMI}/logs`),
  { ...get(`${VMI}/objectgraph`), kind: 'missing' },
  put(`${VMI}/pause`, 'PauseOptions'),
  stream(`${VMI}/portforward`),
  put(`${VMI}/removevolume`, 'RemoveVolumeOptions'),
  put(`${VMI}/reset`),
  { ...get(`${VMI}/sev/fetchcertchain`), kind: 'missing' },
  { ...put(`${VMI}/sev/injectlaunchsecret`), kind: 'missing' },
  { ...get(`${VMI}/sev/querylaunchmeasurement`), kind: 'missing' },
  { ...put(`${VMI}/sev/setupsession`), kind: 'missing' },
  put(`${VMI}/softreboot`),
  put(`${VMI}/unfreeze`),
  put(`${VMI}/unpause`, 'UnpauseOptions'),
  stream(`${VMI}/usage`),
  { ...stream(`${VMI}/usbredir`), kind: 'missing' },
  get(`${VMI}/userlist`),
  stream(`${VMI}/vnc`),
  { ...get(`${VMI}/vnc/screenshot`), kind: 'missing' },
  { ...stream(`${VMI}/vsock`), kind: 'missing' },
  put(`${VM}/addvolume`, 'AddVolumeOptions'),
  put(`${VM}/evacuate/cancel`, 'EvacuateCancelOptions'),
  get(`${VM}/expand-spec`),
  { ...put(`${VM}/memorydump`), kind: 'missing' },
  put(`${VM}/migrate`, 'MigrateOptions'),
  { ...get(`${VM}/objectgraph`), kind: 'missing' },
  stream(`${VM}/portforward`),
  { ...put(`${VM}/removememorydump`), kind: 'missing' },
  put(`${VM}/removevolume`, 'RemoveVolumeOptions'),
  put(`${VM}/restart`, 'RestartOptions'),
  put(`${VM}/start`, 'StartOptions'),
  put(`${VM}/stop`, 'StopOptions'),
  { ...get('version'), isNamespaced: false, isHidden: true },
  { ...get('healthz'), isNamespaced: false, isHidden: true },
  { ...get('guestfs'), isNamespaced: false, isHidden: true, kind: 'missing' },
];

function get(name: string): SubresourceRoute {
  return { name, method: 'GET', kind: 'call', isNamespaced: true };
}

function put(name: string, body?: SubresourceRoute['body']): SubresourceRoute {
  return { name, method: 'PUT', kind: 'call', isNamespaced: true, ...(body === undefined ? {} : { body }) };
}

function stream(name: string): SubresourceRoute {
  return { name, method: 'GET', kind: 'stream', isNamespaced: true };
}
