import { goQuote } from '@smalt/resource';
import type { HostDevice } from '@smalt/vm-api';

import { duplicate, invalid, required, type Cause } from '../../cause.ts';
import { gateAdvice, isGateOpen, type FeatureGate } from '../../feature-gates.ts';
import type { SpecScope } from '../spec-rule.ts';

interface DeviceList {
  readonly name: 'gpus' | 'hostDevices';
  readonly word: string;
  readonly gate: FeatureGate;
  /** Whether devices from claims and devices by name may stand in one list. */
  readonly mixes: boolean;
}

const LISTS: readonly DeviceList[] = [
  { name: 'gpus', word: 'GPU', gate: 'GPUsWithDRA', mixes: false },
  { name: 'hostDevices', word: 'HostDevice', gate: 'HostDevicesWithDRA', mixes: true },
];

/** Devices of the host are named or claimed; claims are listed, and each request is used once. */
export function validateHostDevices(scope: SpecScope): readonly Cause[] {
  const { path, spec } = scope;
  const claims = new Set((spec.resourceClaims ?? []).map(({ name }) => name));
  const used = LISTS.flatMap(({ name }) => spec.domain.devices[name] ?? []).flatMap(({ claimName = '' }) => claimName);
  const unlisted =
    'vmi.spec.resourceClaims must specify all claims used in vmi.spec.domain.devices.gpus and vmi.spec.domain.devices.hostDevices';
  return [
    ...LISTS.flatMap((list) => validateList(list, scope)),
    ...used
      .filter((name) => name !== '' && !claims.has(name))
      .slice(0, 1)
      .map(() => invalid(`${path}.resourceClaims`, unlisted)),
    ...sharedRequests(scope),
  ];
}

function validateList(list: DeviceList, { path, spec, settings }: SpecScope): readonly Cause[] {
  const devices: readonly HostDevice[] = spec.domain.devices[list.name] ?? [];
  const field = `${path}.domain.devices.${list.name}`;
  const shown = `vmi.spec.domain.devices.${list.name}`;
  const claimed = devices.filter(isClaimed);
  if (!list.mixes && claimed.length > 0 && claimed.length < devices.length) {
    const message = `${shown} contains both DRA and non-DRA ${list.word}s; each ${list.word} must be either DRA or non-DRA`;
    return [invalid(field, message)];
  }
  const named = devices.flatMap((device) => (isClaimed(device) ? [] : validateNamed(device, field, list)));
  if (claimed.length > 0 && !isGateOpen(settings, list.gate)) {
    const message = `${shown} contains DRA enabled ${list.word}s but feature gate is not enabled`;
    return [...named, invalid(field, message, gateAdvice(list.gate))];
  }
  return [...named, ...devices.flatMap((device, index) => validateClaimed(device, `${field}[${index}]`, list))];
}

function validateNamed(
  { deviceName = '', claimName, requestName }: HostDevice,
  field: string,
  list: DeviceList,
): readonly Cause[] {
  const shown = `vmi.spec.domain.devices.${list.name} contains ${list.word}s`;
  if (deviceName === '') {
    const message = `${shown} without deviceName or claimRequest; each ${list.word} must specify either a deviceName or a claimRequest`;
    return [required(field, message)];
  }
  if (claimName === undefined && requestName === undefined) return [];
  return [invalid(field, `${shown} with both deviceName and claimRequest`)];
}

function validateClaimed(device: HostDevice, field: string, { word }: DeviceList): readonly Cause[] {
  if (!isClaimed(device)) return [];
  return (['claimName', 'requestName'] as const)
    .filter((name) => device[name] === undefined || device[name] === '')
    .map((name) => required(`${field}.${name}`, `${name} is required for DRA ${word}`));
}

function sharedRequests({ path, spec }: SpecScope): readonly Cause[] {
  const requests = LISTS.flatMap(({ name }) =>
    (spec.domain.devices[name] ?? []).flatMap(({ claimName = '', requestName = '' }, index) =>
      claimName === '' || requestName === ''
        ? []
        : [{ pair: `${claimName}/${requestName}`, field: `${path}.domain.devices.${name}[${index}]` }],
    ),
  );
  return requests.flatMap(({ pair, field }, index) =>
    requests.slice(0, index).some((other) => other.pair === pair)
      ? [duplicate(field, `duplicate claimName/requestName pair ${goQuote(pair)}`)]
      : [],
  );
}

function isClaimed({ deviceName = '', claimName, requestName }: HostDevice): boolean {
  return deviceName === '' && (claimName !== undefined || requestName !== undefined);
}

/** Passing devices of the host through is behind a gate. The path is the one that clients know. */
export function validateHostDeviceGate({ path, spec, settings }: SpecScope): readonly Cause[] {
  if (spec.domain.devices.hostDevices === undefined || isGateOpen(settings, 'HostDevices')) return [];
  const message = 'Host Devices feature gate is not enabled in kubevirt-config';
  return [invalid(`${path}.HostDevices`, message, gateAdvice('HostDevices'))];
}

/** One mediated device at most shows the first screen. The path is the one that clients know. */
export function validateRamFrameBuffers({ path, spec }: SpecScope): readonly Cause[] {
  const buffers = (spec.domain.devices.gpus ?? []).filter(({ virtualGPUOptions }) => {
    const display = virtualGPUOptions?.display;
    return display !== undefined && display.enabled !== false && display.ramFB?.enabled !== false;
  });
  if (buffers.length <= 1) return [];
  const advice = `Set ramFB.enabled to false on all but one of ${path}.domain.devices.gpus.`;
  return [invalid(`${path}.GPUs`, 'configuring multiple displays with ramfb is not valid ', advice)];
}
