export interface KubeconfigContent {
  /** Such as `https://127.0.0.1:6443`. */
  readonly server: string;
  /** In PEM form, like the two below. */
  readonly authorityCertificate: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
  readonly userName: string;
}

/** A kubeconfig that needs no other file, with the context `smalt`. */
export function renderKubeconfig(content: KubeconfigContent): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: smalt
  cluster:
    server: ${JSON.stringify(content.server)}
    certificate-authority-data: ${base64(content.authorityCertificate)}
users:
- name: ${JSON.stringify(content.userName)}
  user:
    client-certificate-data: ${base64(content.clientCertificate)}
    client-key-data: ${base64(content.clientKey)}
contexts:
- name: smalt
  context:
    cluster: smalt
    user: ${JSON.stringify(content.userName)}
current-context: smalt
`;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
