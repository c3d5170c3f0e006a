import { attribute, children, findAll, parseXml, textContent, valueAt } from '@smalt/xml';

import { HypervisorFactsError } from './error.ts';
import { ownText } from './own-text.ts';

/** Who the processes of guests run as, in numbers: names are those of the place where libvirt runs. */
export interface GuestAccount {
  readonly uid: number;
  readonly gid: number;
}

/** The types of guests that are processes under an account of their own. */
const TYPES: readonly unknown[] = ['kvm', 'qemu'];
const LABEL = /^\+(\d{1,10}):\+(\d{1,10})$/u;

/**
 * The account that the capabilities of a host name for guests of QEMU; nothing where they name none. Throws
 * `unreadable-capabilities` if the text is not such a document.
 */
export function readGuestAccount(xml: string): GuestAccount | undefined {
  const models = findAll(readRoot(xml), 'host/secmodel').filter((model) => valueAt(model, 'model') === 'dac');
  const labels = models.flatMap((model) => children(model, 'baselabel'));
  const label = labels.find((each) => TYPES.includes(attribute(each, 'type')));
  const [, uid, gid] = LABEL.exec(label === undefined ? '' : ownText(textContent(label))) ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

function readRoot(xml: string): ReturnType<typeof parseXml>['root'] {
  try {
    return parseXml(xml).root;
  } catch (cause) {
    const message = `the capabilities cannot be read: ${ownText(String(cause))}`;
    throw new HypervisorFactsError('unreadable-capabilities', message, { cause });
  }
}
