import { LibvirtError } from '../../libvirt-error.ts';
import { plainMechanism } from './plain.ts';
import type { Credentials, SaslMechanism } from './sasl-mechanism.ts';
import { ScramMechanism, scramNames } from './scram.ts';

const SUPPORTED = [...scramNames, 'PLAIN'].join(', ');

/** What the choice of a mechanism depends on. */
export interface MechanismChoice {
  /** What the daemon offers, separated by commas or spaces. */
  readonly offered: string;
  /** The one mechanism the caller insists on. */
  readonly wanted: string | undefined;
  readonly credentials: Credentials;
  /** Whether it is known who is at the other end: PLAIN tells whoever it is the password. */
  readonly isPrivate: boolean;
  /** A fresh random text for SCRAM. */
  readonly nonce: string;
}

/** Takes the strongest mechanism that both sides have; PLAIN only when the daemon has nothing better. */
export function chooseMechanism(choice: MechanismChoice): SaslMechanism {
  const { offered, wanted, credentials, nonce } = choice;
  const names = offered.split(/[\s,]+/).filter((name) => name !== '' && isWanted(name, wanted));
  const scram = scramNames.find((name) => names.includes(name));
  if (scram !== undefined) return new ScramMechanism(scram, credentials, nonce);
  if (names.includes('PLAIN')) {
    if (!choice.isPrivate) throw withoutPassword();
    return plainMechanism(credentials);
  }
  const insisted = wanted === undefined ? '' : `, and the URI insists on ${wanted}`;
  throw new LibvirtError(
    'authentication',
    `no SASL mechanism in common: the daemon offers '${offered}', this client has ${SUPPORTED}${insisted}; ` +
      `set mech_list in the daemon's SASL configuration (libvirt.conf)`,
  );
}

function withoutPassword(): LibvirtError {
  return new LibvirtError(
    'authentication',
    'PLAIN would tell the password to anyone between here and the daemon, because no_verify=1 switches the check of ' +
      'its certificate off: remove no_verify, or have the daemon offer SCRAM-SHA-256',
  );
}

function isWanted(name: string, wanted: string | undefined): boolean {
  return wanted === undefined || name === wanted.toUpperCase();
}
