import type { Interface, Network } from '@smalt/vm-api';

import { VirtHandlerError } from '../virt-handler-error.ts';
import { parseAttachment, type Attachment } from './parse-attachment.ts';
import type { NetworkSettings } from './network-settings.ts';

/** The namespace whose networks are there for all. */
const SHARED_NAMESPACE = 'default';

/** A network of an instance and the interface that is in it, each with its place in the spec. */
export interface WiredInterface {
  readonly network: Network;
  readonly networkField: string;
  readonly interface: Interface;
  readonly interfaceField: string;
}

type WireSettings = Pick<NetworkSettings, 'podNetwork' | 'networks'>;

/** Decides where an interface leads. Throws `unsupported-network` or `unknown-network` with the field and what to do. */
export function chooseAttachment(settings: WireSettings, namespace: string, wired: WiredInterface): Attachment {
  checkBinding(wired);
  const attachment = findAttachment(settings, namespace, wired);
  checkCard(wired, attachment);
  return attachment;
}

function findAttachment(settings: WireSettings, namespace: string, wired: WiredInterface): Attachment {
  const { network, networkField } = wired;
  if (network.multus === undefined) {
    if (network.pod !== undefined) return parseAttachment(settings.podNetwork, 'network.pod');
    const message = `${networkField}: this network is neither pod nor multus, and nothing else can be connected here`;
    throw new VirtHandlerError('unsupported-network', message, { field: networkField });
  }
  const { networkName } = network.multus;
  const key = keysFor(networkName, namespace).find((each) => Object.hasOwn(settings.networks, each));
  const text = key === undefined ? undefined : settings.networks[key];
  if (key !== undefined && text !== undefined) return parseAttachment(text, `network.others: ${key}`);
  const field = `${networkField}.multus.networkName`;
  const message = `${field}: this node knows no network ${JSON.stringify(networkName)} for the namespace ${namespace}; name it in the setting network.others of the virt-handler, such as ${networkName}=bridge:NAME`;
  throw new VirtHandlerError('unknown-network', message, { field });
}

/** Throws `bad-setting` unless every setting leads somewhere. */
export function checkAttachments({ podNetwork, networks }: WireSettings): void {
  parseAttachment(podNetwork, 'network.pod');
  for (const [name, text] of Object.entries(networks)) parseAttachment(text, `network.others: ${name}`);
}

/** One's own network first, then that for all. A network of another namespace is nobody else's. */
function keysFor(networkName: string, namespace: string): readonly string[] {
  const [owner = '', name] = networkName.split('/');
  if (name === undefined) return [`${namespace}/${networkName}`, networkName];
  return owner === namespace || owner === SHARED_NAMESPACE ? [networkName] : [];
}

function checkBinding({ interface: card, interfaceField }: WiredInterface): void {
  const unsupported = (['passtBinding', 'passt', 'slirp', 'macvtap', 'binding'] as const).find(
    (name) => card[name] !== undefined,
  );
  if (unsupported === undefined) return;
  const field = `${interfaceField}.${unsupported}`;
  throw new VirtHandlerError(
    'unsupported-network',
    `${field}: this node cannot connect it so; use masquerade or bridge`,
    {
      field,
    },
  );
}

/** What leads to cards is reached by one of their functions, and by nothing else. */
function checkCard({ interface: card, interfaceField }: WiredInterface, { plugin }: Attachment): void {
  if ((card.sriov !== undefined) === (plugin === 'sriov')) return;
  const field = card.sriov === undefined ? interfaceField : `${interfaceField}.sriov`;
  const why =
    card.sriov === undefined
      ? 'its network leads to functions of network cards; use sriov'
      : 'its network does not lead to functions of network cards on this node; use masquerade or bridge, or name it in the setting network.others of the virt-handler, such as NAME=sriov:RESOURCE';
  throw new VirtHandlerError('unsupported-network', `${field}: ${why}`, { field });
}
