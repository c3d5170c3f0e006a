export { buildPrograms, type BuildOptions } from './build/build-programs.ts';
export { KUBERNETES_VERSION } from './build/built-programs.ts';
export { ChartAccounts, type ChartAccount, type ChartAccountsOptions, type ChartRights } from './chart-accounts.ts';
export type { KubernetesOptions } from './control-plane/kubernetes-options.ts';
export { openCutConnection, type CutConnection } from './cut-connection.ts';
export type { ClusterNode } from './cluster/cluster-node.ts';
export type { MachineProcess } from './cluster/machine-process.ts';
export { BedKubernetesError, type BedKubernetesErrorCode } from './error.ts';
export { freePorts } from './free-ports.ts';
export type { TarEntry } from './images/tar-archive.ts';
export { writeImage, type ImageContent } from './images/write-image.ts';
export { installDefinitions } from './install-definitions.ts';
export { keepAuditLog } from './keep-audit-log.ts';
export {
  findCluster,
  findCurrentEtcd,
  findHelm,
  findKubernetes,
  findPrometheus,
  type ClusterPrograms,
  type KubernetesPrograms,
  type PrometheusPrograms,
} from './kubernetes-programs.ts';
export { LaggingWay } from './lagging-way.ts';
export type { RunningApiServer } from './running-api-server.ts';
export { ServerProcess } from './server-process.ts';
export { findCertManager, startCertManager, type CertManager, type CertManagerPrograms } from './start-cert-manager.ts';
export { startCluster, type Cluster, type ClusterOptions } from './start-cluster.ts';
export { startKubernetes, type Kubernetes } from './start-kubernetes.ts';
export { startPrometheusOperator, type PrometheusOperator } from './start-prometheus-operator.ts';
export {
  startSmaltApiServer,
  type SmaltApiServer,
  type SmaltApiServerOptions,
  type SmaltProgram,
} from './start-smalt-api-server.ts';
export {
  isOnKubernetes,
  startRealApiServer,
  startTestApiServer,
  type RealApiServerOptions,
  type TestApiServerOptions,
} from './start-test-api-server.ts';
export type { TestApiServer } from './test-api-server.ts';
export { readExamples, runExample, type ReadmeExample } from './readme-examples.ts';
export { untilObject, type ObjectWish } from './until-object.ts';
