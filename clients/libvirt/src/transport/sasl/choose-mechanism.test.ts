import { describe, expect, it } from 'vitest';
import { chooseMechanism } from './choose-mechanism.ts';

const credentials = { username: 'alice', password: 'pencil' };

describe('chooseMechanism', () => {
  it.each([
    { offered: 'SCRAM-SHA-256', wanted: undefined, name: 'SCRAM-SHA-256' },
    { offered: 'PLAIN,SCRAM-SHA-1,SCRAM-SHA-256', wanted: undefined, name: 'SCRAM-SHA-256' },
    { offered: 'GSSAPI SCRAM-SHA-1 SCRAM-SHA-512', wanted: undefined, name: 'SCRAM-SHA-512' },
    { offered: 'GSSAPI,PLAIN', wanted: undefined, name: 'PLAIN' },
    { offered: 'SCRAM-SHA-256,PLAIN', wanted: 'plain', name: 'PLAIN' },
    { offered: 'SCRAM-SHA-512,SCRAM-SHA-256', wanted: 'SCRAM-SHA-256', name: 'SCRAM-SHA-256' },
  ])('takes $name from $offered when $wanted is wanted', ({ offered, wanted, name }) => {
    expect(chooseMechanism({ offered, wanted, credentials, isPrivate: true, nonce: 'n' }).name).toBe(name);
  });

  it.each([
    { offered: 'GSSAPI,DIGEST-MD5', wanted: undefined },
    { offered: 'SCRAM-SHA-256', wanted: 'PLAIN' },
    { offered: 'SCRAM-SHA-256-PLUS', wanted: undefined },
    { offered: '', wanted: undefined },
  ])('refuses $offered when $wanted is wanted, and names both sides', ({ offered, wanted }) => {
    expect(() => chooseMechanism({ offered, wanted, credentials, isPrivate: true, nonce: 'n' })).toThrow(
      expect.objectContaining({
        code: 'authentication',
        message: expect.stringContaining(`the daemon offers '${offered}', this client has SCRAM-SHA-512`),
      }),
    );
  });

  it('tells the password itself to nobody whose certificate is not checked, and takes SCRAM there', () => {
    const choice = { wanted: undefined, credentials, isPrivate: false, nonce: 'n' };

    expect(() => chooseMechanism({ ...choice, offered: 'PLAIN' })).toThrow(
      expect.objectContaining({ code: 'authentication', message: expect.stringContaining('no_verify=1') }),
    );
    expect(chooseMechanism({ ...choice, offered: 'PLAIN,SCRAM-SHA-256' }).name).toBe('SCRAM-SHA-256');
  });
});
