/** The servers that are compared. */
export const SERVER_NAMES = ['smalt', 'kube'] as const;
export type ServerName = (typeof SERVER_NAMES)[number];

export const SERVER_TITLES: Readonly<Record<ServerName, string>> = {
  smalt: 'smalt apiserver',
  kube: 'kube-apiserver + etcd',
};
