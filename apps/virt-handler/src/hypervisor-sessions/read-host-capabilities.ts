import type { NodeCell } from '@smalt/domain-xml';
import { cursorAt, isXmlError, parseXml, type XmlCursor } from '@smalt/xml';

import { VirtHandlerError } from '../virt-handler-error.ts';

/** What libvirt says about its node, as far as domains depend on it. */
export interface HostCapabilities {
  /** What tells this host from all others. */
  readonly hostUuid: string | undefined;
  /** The types of domains that can be run here, such as `kvm`. */
  readonly domainTypes: readonly string[];
  /** The NUMA cells of the node with their processors. */
  readonly cells: readonly NodeCell[];
  /** The model of the node's processor, where libvirt knows it. */
  readonly processorModel: string | undefined;
  /** Who the processes of guests run as; undefined when that is root, or not said. */
  readonly guestAccount: GuestAccount | undefined;
}

export interface GuestAccount {
  readonly userId: number;
  readonly groupId: number;
}

/** Reads what libvirt calls capabilities. Throws `unavailable` for a text that is none. */
export function readHostCapabilities(text: string): HostCapabilities {
  return reading(text, (root) => {
    const types = root.findAll('guest/arch/domain').map((domain) => domain.requireAttribute('type'));
    return {
      hostUuid: root.value('host/uuid'),
      domainTypes: [...new Set(types)],
      cells: root.findAll('host/topology/cells/cell').map(readCell),
      processorModel: root.value('host/cpu/model'),
      guestAccount: readAccount(root),
    };
  });
}

/**
 * Reads from the same text only what tells its host from all others. What follows the host, most of the text, is left
 * out: a guest that is to be migrated waits for this.
 */
export function readHostUuid(text: string): string | undefined {
  const end = text.indexOf(END_OF_HOST);
  const about = end === -1 ? text : `${text.slice(0, end)}${END_OF_HOST}</capabilities>`;
  return reading(about, (root) => root.value('host/uuid'));
}

const END_OF_HOST = '</host>';

function reading<T>(text: string, read: (root: XmlCursor) => T): T {
  try {
    return read(cursorAt(parseXml(text)));
  } catch (error) {
    if (!isXmlError(error)) throw error;
    throw new VirtHandlerError(
      'unavailable',
      `libvirt tells its capabilities in a text that is none: ${error.message}`,
      {
        cause: error,
      },
    );
  }
}

/** libvirt writes it as `+64055:+108`. */
function readAccount(root: XmlCursor): GuestAccount | undefined {
  const model = root.findAll('host/secmodel').find((each) => each.value('model') === 'dac');
  const label = model?.value('baselabel') ?? '';
  const { user, group } = /^\+(?<user>\d+):\+(?<group>\d+)$/u.exec(label)?.groups ?? {};
  if (user === undefined || group === undefined || user === '0') return undefined;
  return { userId: Number(user), groupId: Number(group) };
}

function readCell(cell: XmlCursor): NodeCell {
  return {
    id: Number(cell.requireAttribute('id')),
    cpus: cell.findAll('cpus/cpu').map((cpu) => {
      const id = Number(cpu.requireAttribute('id'));
      return { id, siblings: readNumberSet(cpu.attribute('siblings') ?? String(id)) };
    }),
    distances: cell.findAll('distances/sibling').map((sibling) => ({
      cell: Number(sibling.requireAttribute('id')),
      distance: Number(sibling.requireAttribute('value')),
    })),
  };
}

/** Numbers as libvirt writes them: `0,2-4`. */
function readNumberSet(text: string): readonly number[] {
  return text.split(',').flatMap((part) => {
    const [first = Number.NaN, last = first] = part.split('-').map(Number);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  });
}
