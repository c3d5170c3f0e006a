import { canonicalMac, type Interface, type Network } from '@smalt/vm-api';

import { invalid, type Cause } from '../../cause.ts';
import type { ClusterSettings } from '../../cluster-settings.ts';
import { gateAdvice, isGateOpen } from '../../feature-gates.ts';
import type { SpecScope } from '../spec-rule.ts';

const BINDINGS = ['bridge', 'masquerade', 'sriov', 'passtBinding', 'binding'] as const;
/** The address of the bridge inside the pod. */
const RESERVED_MAC = '02:00:00:00:00:00';

const DISCONTINUED = [
  { name: 'slirp', message: 'Slirp interface support has been discontinued since v1.3' },
  { name: 'passt', message: 'Passt network binding has been discontinued since v1.3' },
  { name: 'macvtap', message: 'Macvtap network binding has been discontinued since v1.3' },
] as const;

/** Each interface is bound in exactly one way, and in one that its network allows. */
export function validateBindings({ path, spec, settings }: SpecScope): readonly Cause[] {
  const networks = new Map((spec.networks ?? []).map((network) => [network.name, network]));
  return (spec.domain.devices.interfaces ?? []).flatMap((nic, index) => {
    const field = `${path}.domain.devices.interfaces[${index}]`;
    const network = networks.get(nic.name);
    return [
      ...validateOneBinding(nic, field),
      ...validateMasquerade(nic, network, field),
      ...validateBridge(nic, network, field, settings),
      ...validatePasst(nic, network, field, settings),
    ];
  });
}

/** Bindings that no longer exist are refused when something new is made with them. */
export function validateDiscontinuedBindings({ path, spec }: SpecScope): readonly Cause[] {
  return (spec.domain.devices.interfaces ?? []).flatMap((nic, index) =>
    DISCONTINUED.filter(({ name }) => nic[name] !== undefined).map(({ name, message }) =>
      invalid(`${path}.domain.devices.interfaces[${index}].${name}`, message, 'Use masquerade, bridge or sriov.'),
    ),
  );
}

function validateOneBinding(nic: Interface, field: string): readonly Cause[] {
  if (BINDINGS.filter((name) => nic[name] !== undefined).length === 1) return [];
  return [
    invalid(
      field,
      `logical ${nic.name} interface must have exactly one binding method or binding plugin`,
      `Set one of ${BINDINGS.join(', ')}.`,
    ),
  ];
}

function validateMasquerade(nic: Interface, network: Network | undefined, field: string): readonly Cause[] {
  if (nic.masquerade === undefined) return [];
  const reserved = 'The requested MAC address is reserved for the in-pod bridge. Please choose another one.';
  return [
    ...(network?.pod === undefined
      ? [
          invalid(
            `${field}.name`,
            'Masquerade interface only implemented with pod network',
            'Use bridge or sriov on other networks.',
          ),
        ]
      : []),
    ...(canonicalMac(nic.macAddress ?? '') === RESERVED_MAC ? [invalid(`${field}.macAddress`, reserved)] : []),
  ];
}

function validateBridge(
  nic: Interface,
  network: Network | undefined,
  field: string,
  settings: ClusterSettings,
): readonly Cause[] {
  if (nic.bridge === undefined || network?.pod === undefined || settings.permitBridgeInterfaceOnPodNetwork) return [];
  const message = 'Bridge on pod network configuration is not enabled under kubevirt-config';
  return [invalid(`${field}.name`, message, 'Use masquerade on the pod network.')];
}

function validatePasst(
  nic: Interface,
  network: Network | undefined,
  field: string,
  settings: ClusterSettings,
): readonly Cause[] {
  if (nic.passtBinding === undefined) return [];
  return [
    ...(isGateOpen(settings, 'PasstBinding')
      ? []
      : [invalid(`${field}.name`, 'PasstBinding feature gate is not enabled', gateAdvice('PasstBinding'))]),
    ...(network?.pod === undefined
      ? [invalid(`${field}.name`, 'PasstBinding interface only implemented with pod network')]
      : []),
  ];
}
