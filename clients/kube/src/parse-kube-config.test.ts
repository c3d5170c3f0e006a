import { describe, expect, it } from 'vitest';

import { parseKubeConfig } from './parse-kube-config.ts';

const CLUSTER =
  '{name: c, cluster: {server: "https://h:6443/prefix/", certificate-authority: pki/ca.crt, tls-server-name: api}}';

describe('parseKubeConfig', () => {
  it('reads the current context; paths are relative to the file', async () => {
    const file = config('{name: u, user: {client-certificate: pki/u.crt, client-key-data: a2V5}}');

    expect(await parseKubeConfig([file])).toEqual({
      server: 'https://h:6443/prefix',
      tls: { authority: { kind: 'file', path: '/etc/kube/pki/ca.crt' }, serverName: 'api', isInsecure: false },
      identity: {
        kind: 'certificate',
        certificate: { kind: 'file', path: '/etc/kube/pki/u.crt' },
        key: { kind: 'text', text: 'key' },
      },
      namespace: 'team',
    });
  });

  it.each([
    ['{token: t}', { kind: 'token', token: { kind: 'text', text: 't' } }],
    ['{tokenFile: t}', { kind: 'token', token: { kind: 'file', path: '/etc/kube/t' } }],
    ['{username: a, password: b}', { kind: 'password', username: 'a', password: 'b' }],
    ['{}', { kind: 'anonymous' }],
    [
      '{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./get, args: [1], env: [{name: A, value: b}]}}',
      { kind: 'exec', plugin: { command: '/etc/kube/get', args: ['1'], environment: { A: 'b' } } },
    ],
  ])('reads the user %s', async (user, identity) => {
    expect((await parseKubeConfig([config(`{name: u, user: ${user}}`)])).identity).toMatchObject(identity);
  });

  it('takes the first of two entries with one name', async () => {
    const second = config('{name: u, user: {token: second}}');

    const { identity } = await parseKubeConfig([config('{name: u, user: {token: first}}'), second]);

    expect(identity).toEqual({ kind: 'token', token: { kind: 'text', text: 'first' } });
  });

  it.each([
    ['clusters: [', 'kubeconfig: /etc/kube/config is not YAML'],
    ['just text', 'kubeconfig: /etc/kube/config is not a kubeconfig file'],
    ['clusters: []', 'no context is chosen: set current-context, or name one'],
    ['current-context: x', 'there is no context "x" in /etc/kube/config'],
    [
      `clusters: [{name: c, cluster: {}}]\ncontexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x`,
      'cluster "c" in /etc/kube/config: server is missing',
    ],
    [
      `clusters: [{name: c, cluster: {server: nowhere}}]\ncontexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x`,
      '"nowhere" is not a URL',
    ],
  ])('says what is wrong with %j', async (text, message) => {
    await expect(parseKubeConfig([{ path: '/etc/kube/config', text }])).rejects.toThrow(message);
  });

  it('does not act as somebody else without a word', async () => {
    await expect(parseKubeConfig([config('{name: u, user: {token: t, as: root}}')])).rejects.toThrow(
      'user "u" in /etc/kube/config: as: to act as somebody else is not supported',
    );
  });

  it('wants a certificate and its key together', async () => {
    await expect(parseKubeConfig([config('{name: u, user: {client-key: k}}')])).rejects.toThrow(
      'user "u" in /etc/kube/config: client-certificate and client-key go together',
    );
  });
});

function config(user: string) {
  const text = `clusters: [${CLUSTER}]\nusers: [${user}]\ncontexts: [{name: x, context: {cluster: c, user: u, namespace: team}}]\ncurrent-context: x\n`;
  return { path: '/etc/kube/config', text };
}
