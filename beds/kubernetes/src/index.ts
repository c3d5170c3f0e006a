export { buildKubernetes } from './build-kubernetes.ts';
export { BedKubernetesError, type BedKubernetesErrorCode } from './error.ts';
export { freePorts } from './free-ports.ts';
export { installDefinitions } from './install-definitions.ts';
export { findKubernetes, KUBERNETES_VERSION, type KubernetesPrograms } from './kubernetes-programs.ts';
export { ServerProcess } from './server-process.ts';
export { startKubernetes, type RunningApiServer } from './start-kubernetes.ts';
export {
  startSmaltApiServer,
  type SmaltApiServer,
  type SmaltApiServerOptions,
  type SmaltProgram,
} from './start-smalt-api-server.ts';
export { readExamples, runExample, type ReadmeExample } from './readme-examples.ts';
export { untilObject, type ObjectWish } from './until-object.ts';
