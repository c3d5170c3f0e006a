/** The API servers that a fleet is measured on. */
export const SERVER_NAMES = ['smalt', 'kubernetes'] as const;

export type ServerName = (typeof SERVER_NAMES)[number];

/** As it is shown. */
export const SERVER_TITLES: Readonly<Record<ServerName, string>> = {
  smalt: 'our API server',
  kubernetes: 'kube-apiserver and etcd',
};
