import { isJsonObject, jsonField, parseJson } from '@smalt/json';

import type { InterfaceIdentity } from '../interface-identity.ts';
import { isOpenPort } from '../open-ports.ts';

/** What an interface of an instance has on this node. It is kept when the instance is gone, so that it gets the same again. */
export interface InterfaceRecord extends InterfaceIdentity {
  /** Of the instance that has or had it. */
  readonly uid: string;
  /** The plugin that connects it. */
  readonly plugin: string;
  /** As `canonicalMac` has it, unless an earlier version left the record. */
  readonly mac: string;
  /** Where the plugin gives addresses. */
  readonly address?: string | undefined;
  /** At which the world may call the guest, such as `tcp/80`; none if not given. */
  readonly ports?: readonly string[] | undefined;
  /** When it was given back, in milliseconds since 1970; undefined while it is in use. */
  readonly releasedAt?: number | undefined;
}

/** Reads a record; undefined for a text that is none, such as one that a power loss damaged. */
export function parseInterfaceRecord(text: string): InterfaceRecord | undefined {
  const value = parseOrUndefined(text);
  if (!isJsonObject(value)) return undefined;
  const word = (name: string): string | undefined => {
    const field = jsonField(value, name);
    return typeof field === 'string' ? field : undefined;
  };
  const [namespace, instance, network] = [word('namespace'), word('instance'), word('network')];
  const [uid, plugin, mac, address] = [word('uid'), word('plugin'), word('mac'), word('address')];
  const releasedAt = jsonField(value, 'releasedAt');
  if (namespace === undefined || instance === undefined || network === undefined) return undefined;
  if (uid === undefined || plugin === undefined || mac === undefined) return undefined;
  const record = { namespace, instance, network, uid, plugin, mac };
  return {
    ...record,
    ...(address === undefined ? {} : { address }),
    ...portsIn(jsonField(value, 'ports')),
    ...(typeof releasedAt === 'number' ? { releasedAt } : {}),
  };
}

function portsIn(field: unknown): Pick<InterfaceRecord, 'ports'> {
  return Array.isArray(field) && field.length > 0 ? { ports: field.filter(isOpenPort) } : {};
}

function parseOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

export function isInUse({ releasedAt }: InterfaceRecord): boolean {
  return releasedAt === undefined;
}
