import { describe, expect, it } from 'vitest';
import { authenticateWithSasl, type SaslCalls, type SaslData, type SaslReply } from './authenticate-with-sasl.ts';
import { plainMechanism } from './plain.ts';
import { ScramMechanism } from './scram.ts';

// The exchange of RFC 7677.
const NONCE = 'rOprNGfwEbeRWgbNEkqO';
const SERVER_FIRST = 'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096';
const SERVER_FINAL = 'v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=';

describe('authenticateWithSasl', () => {
  it('ends with the verdict when the daemon sends it together with its consent', async () => {
    const daemon = scripted([more(SERVER_FIRST), complete(SERVER_FINAL)]);

    await authenticateWithSasl(daemon, scram());

    expect(daemon.sent).toMatchObject([{ mechanism: 'SCRAM-SHA-256', nil: 0 }, { nil: 0 }]);
  });

  it('sends no data, which is not the same as empty data, when the daemon waits behind its verdict', async () => {
    const daemon = scripted([more(SERVER_FIRST), more(SERVER_FINAL), complete(undefined)]);

    await authenticateWithSasl(daemon, scram());

    expect(daemon.sent[2]).toEqual({ nil: 1, data: Buffer.alloc(0) });
  });

  it('does not believe a daemon that is satisfied before it has proved itself', async () => {
    const daemon = scripted([more(SERVER_FIRST), complete(undefined)]);

    await expect(authenticateWithSasl(daemon, scram())).rejects.toMatchObject({ code: 'protocol' });
  });

  it('does not believe a daemon that is satisfied with the user name alone', async () => {
    const daemon = scripted([complete(SERVER_FIRST), complete(undefined)]);

    await expect(authenticateWithSasl(daemon, scram())).rejects.toMatchObject({ code: 'protocol' });
  });

  it('gives up on a daemon that never comes to an end', async () => {
    const daemon = scripted(Array.from({ length: 50 }, () => more('')));

    const authenticating = authenticateWithSasl(daemon, plainMechanism({ username: 'alice', password: 'pencil' }));

    await expect(authenticating).rejects.toMatchObject({
      code: 'protocol',
      message: 'PLAIN: no end after 10 messages',
    });
  });

  it('sends PLAIN in one message', async () => {
    const daemon = scripted([complete(undefined)]);

    await authenticateWithSasl(daemon, plainMechanism({ username: 'alice', password: 'pencil' }));

    expect(daemon.sent).toEqual([{ mechanism: 'PLAIN', nil: 0, data: Buffer.from('\0alice\0pencil') }]);
  });

  it('refuses what does not fit into one message, without repeating it', async () => {
    const daemon = scripted([]);

    const authenticating = authenticateWithSasl(
      daemon,
      plainMechanism({ username: 'alice', password: 'x'.repeat(65_536) }),
    );

    await expect(authenticating).rejects.toMatchObject({
      code: 'authentication',
      message: expect.not.stringContaining('xxx'),
    });
    expect(daemon.sent).toEqual([]);
  });
});

function scram(): ScramMechanism {
  return new ScramMechanism('SCRAM-SHA-256', { username: 'user', password: 'pencil' }, NONCE);
}

function scripted(replies: readonly SaslReply[]): SaslCalls & { readonly sent: SaslData[] } {
  const sent: SaslData[] = [];
  const answer = async (args: SaslData): Promise<SaslReply> => {
    const reply = replies[sent.push(args) - 1];
    if (!reply) throw new Error('the daemon was not expected to be asked so often');
    return reply;
  };
  return { sent, authSaslStart: answer, authSaslStep: answer };
}

function more(text: string): SaslReply {
  return { complete: 0, nil: 0, data: Buffer.from(text) };
}

function complete(text: string | undefined): SaslReply {
  return { complete: 1, nil: text === undefined ? 1 : 0, data: Buffer.from(text ?? '') };
}
