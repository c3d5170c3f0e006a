/** How somebody proves who it is: by a token, or by a certificate, which is a file or in the kubeconfig itself. */
export type Credentials =
  | { readonly token: string }
  | { readonly certificate: Buffer; readonly key: Buffer }
  | { readonly certificatePath: string; readonly keyPath: string };

/** The text of a kubeconfig with one user of one cluster. JSON is YAML, too. */
export function kubeconfigText(url: string, authority: Buffer, credentials: Credentials): string {
  const name = 'bed';
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server: url, 'certificate-authority-data': authority.toString('base64') } }],
    users: [{ name, user: userOf(credentials) }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  });
}

function userOf(credentials: Credentials): Readonly<Record<string, string>> {
  if ('token' in credentials) return { token: credentials.token };
  if ('key' in credentials) {
    const { certificate, key } = credentials;
    return { 'client-certificate-data': certificate.toString('base64'), 'client-key-data': key.toString('base64') };
  }
  return { 'client-certificate': credentials.certificatePath, 'client-key': credentials.keyPath };
}
