import { namedReference, rowReference, type OvsdbOperation, type OvsdbReference } from '@smalt/ovs';

import { CAPTURE_KEY, EXPIRES_KEY, OWNER_KEY, type CaptureRemains } from './capture-mark.ts';

export interface MirrorDescription {
  /** The name of the mirror, of its port and of the device. */
  readonly device: string;
  /** The uuid of the bridge. */
  readonly bridge: string;
  /** The uuid of the port whose packets are copied; undefined: those of all ports. */
  readonly port: string | undefined;
  readonly capture: string;
  readonly expires: Date;
  /** The identity of the agent that makes it. */
  readonly owner: string;
}

/** One transaction that makes a device and has packets copied to it. */
export function addMirrorOperations(mirror: MirrorDescription): readonly OvsdbOperation[] {
  const { device, bridge, port, capture, expires, owner } = mirror;
  const ids = new Map([
    [CAPTURE_KEY, capture],
    [EXPIRES_KEY, expires.toISOString()],
    [OWNER_KEY, owner],
  ]);
  const selected: ReadonlySet<OvsdbReference> = new Set(port === undefined ? [] : [rowReference(port)]);
  const from = { select_all: port === undefined, select_src_port: selected, select_dst_port: selected };
  return [
    {
      op: 'insert',
      table: 'Interface',
      uuidName: 'device',
      row: { name: device, type: 'internal', external_ids: ids },
    },
    {
      op: 'insert',
      table: 'Port',
      uuidName: 'output',
      row: { name: device, interfaces: namedReference('device'), external_ids: ids },
    },
    {
      op: 'insert',
      table: 'Mirror',
      uuidName: 'mirror',
      row: { name: device, output_port: namedReference('output'), external_ids: ids, ...from },
    },
    {
      op: 'mutate',
      table: 'Bridge',
      where: [['_uuid', '==', rowReference(bridge)]],
      mutations: [
        ['ports', 'insert', new Set([namedReference('output')])],
        ['mirrors', 'insert', new Set([namedReference('mirror')])],
      ],
    },
    { op: 'comment', comment: `smalt: capture ${capture}` },
  ];
}

/** Takes mirrors and their ports out of their bridges; the database drops what nothing refers to. */
export function removeMirrorOperations(remains: readonly CaptureRemains[]): readonly OvsdbOperation[] {
  return remains.map(({ bridge, mirrors, ports }) => ({
    op: 'mutate' as const,
    table: 'Bridge',
    where: [['_uuid', '==', rowReference(bridge)] as const],
    mutations: [
      ['mirrors', 'delete', new Set(mirrors.map(rowReference))] as const,
      ['ports', 'delete', new Set(ports.map(rowReference))] as const,
    ],
  }));
}
