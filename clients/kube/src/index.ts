export type { Clock } from './clock.ts';
export { follow, isInitialEnd, type FollowOptions } from './follow.ts';
export type { HttpAnswer, HttpBody, HttpDispatcher, HttpRequest } from './http-dispatcher.ts';
export { HttpPool, type HttpPoolOptions } from './http-pool.ts';
export { KubeClient } from './kube-client.ts';
export type { ExecPlugin, FileOrText, Identity, KubeConfig, TlsConfig } from './kube-config.ts';
export {
  isAlreadyExists,
  isConflict,
  isExpired,
  isKubeError,
  isNotFound,
  KubeError,
  type KubeErrorCode,
} from './kube-error.ts';
export { inClusterConfig, isInCluster, loadKubeConfig, type LoadOptions } from './load-kube-config.ts';
export { parseKubeConfig, type KubeConfigFile } from './parse-kube-config.ts';
export type {
  ApplyOptions,
  DeleteOptions,
  ListOptions,
  ReadOptions,
  SelectOptions,
  SubresourceOptions,
  WatchOptions,
  WriteOptions,
} from './request-options.ts';
export { ResourceClient, type Draft, type Fields } from './resource-client.ts';
export type { TlsOptions } from './tls-options.ts';
export type { Exchange, KubeRequest, StreamRequest, TransportOptions, UpgradeTarget } from './transport.ts';
