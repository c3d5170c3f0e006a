import { expect, it } from 'vitest';
import { PeerProcess } from './peer-process.ts';

it('asks one question at a time and reads the answers in order', async () => {
  await using peer = shellPeer(`echo '{"ready":"1.0"}'; while read -r word; do echo "{\\"said\\":\\"$word\\"}"; done`);

  const ready = await peer.answer(inTime());
  const answers = [await peer.ask('one', inTime()), await peer.ask('two', inTime())];

  expect(ready).toEqual({ ready: '1.0' });
  expect(answers).toEqual([{ said: 'one' }, { said: 'two' }]);
});

it.each([
  { what: 'reports an error', script: `echo '{"error":"no such domain"}'`, message: 'Peer: no such domain' },
  { what: 'ends', script: 'echo cannot connect >&2; exit 3', message: 'Peer ended: cannot connect' },
  { what: 'prints no JSON', script: 'echo hello', message: 'Peer printed no JSON: hello' },
  { what: 'prints JSON that is no object', script: 'echo 7', message: 'Peer printed no JSON object: 7' },
])('fails when the peer $what', async ({ script, message }) => {
  await using peer = shellPeer(script);

  const answer = peer.answer(inTime());

  await expect(answer).rejects.toMatchObject({ code: 'peer-failed', message });
});

it('fails when the program is not there', async () => {
  await using peer = new PeerProcess('Peer', ['/nonexistent/peer']);

  const answer = peer.answer(inTime());

  await expect(answer).rejects.toMatchObject({ code: 'peer-failed', message: expect.stringContaining('ENOENT') });
});

it('gives up on an answer when aborted', async () => {
  await using peer = shellPeer('read -r word');
  const stop = new AbortController();

  const answer = peer.ask('hello there', stop.signal);
  stop.abort(new Error('enough'));

  await expect(answer).rejects.toThrow('enough');
});

it('ends the peer when disposed of, even one that does not listen', async () => {
  const peer = new PeerProcess('Peer', ['/bin/sh', '-c', `trap '' TERM; echo '{}'; exec sleep 600`], 50);
  await peer.answer(inTime());

  await peer[Symbol.asyncDispose]();

  expect(() => process.kill(peer.pid, 0)).toThrow('ESRCH');
});

function shellPeer(script: string): PeerProcess {
  return new PeerProcess('Peer', ['/bin/sh', '-c', script]);
}

function inTime(): AbortSignal {
  return AbortSignal.timeout(10_000);
}
