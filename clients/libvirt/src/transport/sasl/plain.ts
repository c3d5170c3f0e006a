import { LibvirtError } from '../../libvirt-error.ts';
import { prepareSaslText } from './prepare-sasl-text.ts';
import type { Credentials, SaslMechanism } from './sasl-mechanism.ts';

/** The mechanism PLAIN (RFC 4616): the password itself, so only for a connection that nobody can listen to. */
export function plainMechanism(credentials: Credentials): SaslMechanism {
  const username = prepareSaslText(credentials.username, 'username');
  const password = prepareSaslText(credentials.password, 'password');
  return {
    name: 'PLAIN',
    start: () => ({ data: Buffer.from(`\0${username}\0${password}`), isDone: true }),
    step: (challenge) => {
      if (challenge === undefined || challenge.length === 0) return Promise.resolve({ data: undefined, isDone: true });
      return Promise.reject(
        new LibvirtError('protocol', 'SASL PLAIN: the daemon sent a challenge, but PLAIN has none'),
      );
    },
  };
}
